import type { Evidence } from '../evidence.ts';

/** Coins, tokens, chains, wallets and who trades or builds them. */
export const crypto: Evidence = {
  words: {
    4: `bitcoin, btc, ethereum, solana, blockchain, blockchains, cryptocurrency, cryptocurrencies, crypto, defi, nft, nfts, memecoin, memecoins, altcoin, altcoins,
      altseason, stablecoin, stablecoins, usdt, usdc, onchain, on-chain, off-chain, airdrop, airdrops, web3, hodl, hodling, satoshi, satoshis, sats,
      seed phrase, seed phrases, private keys, hardware wallet, cold storage, cold wallet, hot wallet, self custody, self-custody, smart contract, smart contracts, layer 2, layer2, l2s,
      rollup, rollups, zk-rollup, zk proof, zk proofs, mainnet, testnet, devnet, dogecoin, doge, cardano, ripple, xrp, litecoin, monero, polygon, avalanche network,
      arbitrum, chainlink, uniswap, coinbase, binance, kraken exchange, metamask, phantom wallet, ledger nano, pump.fun, pumpfun, raydium, jupiter exchange, opensea,
      halving, block reward, hashrate, gas fees, gwei, validators, proof of stake, proof of work, restaking, liquid staking, staking rewards,
      rug pull, rugpull, rugged, rug pulled, presale, tokenomics, whitepaper, market maker bots, bonding curve, liquidity pool, liquidity pools, yield farming, impermanent loss, tvl,
      dao, daos, dex, dexs, dexes, cex, perps, hyperliquid, multisig, genesis block, lightning network, ordinals, runes, inscription, inscriptions,
      not your keys, wen token, wen moon, wen lambo, wen airdrop, ser, degen, degens, wagmi, ngmi, gm ct, crypto twitter, vitalik, saylor, sbf, ftx, mt gox,
      spl token, erc20, erc-20, erc721, eip-4844, eip, bip, mev, sandwich attack, flash loan, reentrancy, bridge exploit, wrapped eth, weth, wbtc, steth, tokenized, tokenised,
      bitcoiner, bitcoiners, maxis, bitcoin etf, eth etf, satoshi nakamoto, crypto market, crypto winter, on-chain data, block explorer, etherscan, solscan, dexscreener`,
    3: `eth, sol, token, tokens, wallet, wallets, coin, coins, staking, staked, mint authority, minting, ledger, validator, mempool, whale wallet, whales, snapshot, liquidated, liquidation, liquidations,
      shitcoin, shitcoins, bags, bagholder, bagholders, ape in, aped, aping, moonshot, moonbag, 100x, 1000x, contract address, lp burned, lp, floor price, mint, minted,
      node operator, slashing, consensus layer, governance token, governance proposal, bear market, decentralized, decentralised, decentralization, decentralisation, decentralised exchange, miners, bull run, alpha call,
      fully diluted, rekt, ct, gas, fud, fomo, dca, faucet, sequencer, base chain, tge, vesting unlock, token unlock, token unlocks, listing, delist, delisting`,
    2: `mining, miner, chain, chains, bridge, vault, protocol, protocols, swap, swaps, pool, pools, exploit, exploited, exploiter, drained, moon, lambo, pump, pumping, dump, dumping, dumped, bullish, bearish,
      gm, holders, holder, community takeover, cto, keys, cycle, exchange, exchanges, fork, degenerate, custody, dev wallet, leverage, 20x, 10x, 50x, audit, audited, claim, claims, epoch, hash, treasury`,
    1: `supply, block, blocks, fees, liquidity, burn, burned, locked, contract, launch, launching, up only, chart, contracts, deposit, deposits, withdrawals`,
  },
  cashtags: `btc, eth, sol, xrp, doge, ada, bnb, usdt, usdc, shib, pepe, wif, bonk, avax, dot, link, matic, pol, ltc, xmr, atom, uni, aave, arb, op, sui, apt, ton, trx, near, inj, tia, jup, pyth, hype, ena, ondo, tao,
    render, fet, sei, kas, icp, fil, hbar, algo, vet, xlm, etc, bch, crv, mkr, ldo, rune, pendle, gmx, dydx, jto, popcat, floki, trump, fartcoin, pengu, ray, wld, zec, dai, steth, wbtc`,
  hosts: {
    4: `coindesk.com, cointelegraph.com, theblock.co, decrypt.co, etherscan.io, solscan.io, dexscreener.com, pump.fun, opensea.io, uniswap.org, coinmarketcap.com,
      coingecko.com, blockchain.com, mempool.space, defillama.com, dune.com, arbiscan.io, basescan.org, birdeye.so, raydium.io, jup.ag, magiceden.io, ethereum.org,
      solana.com, bitcoin.org, coinbase.com, binance.com, kraken.com, snapshot.org, blockworks.co, bitcoinmagazine.com, messari.io, glassnode.com, nansen.ai, rekt.news,
      dextools.io, tensor.trade, mirror.xyz, etherscan.com, zora.co, lido.fi, aave.com`,
  },
  accounts: `vitalikbuterin, cz_binance, saylor, binance, coinbase, brian_armstrong, solana, ethereum, bitcoin, aeyakovenko, cobie, coindesk, cointelegraph,
    theblock__, decryptmedia, watcherguru, whale_alert, bitcoinmagazine, pumpdotfun, zachxbt, jessepollak, uniswap, opensea, phantom, metamask, documentingbtc, apompliano`,
  cues: [
    [5, /\b0x[0-9a-f]{40}\b/iu],
    [5, /\b(?:CA|contract)\b:? ?[1-9A-HJ-NP-Za-km-z]{32,44}\b/u],
    [4, /\b[1-9A-HJ-NP-Za-km-z]{38,40}pump\b/u],
    [4, /\b\d[\d.,]{0,15}k? ?(?:BTC|ETH|SOL|sats|USDC|USDT)\b/u],
    [2, /\bgm\b/iu],
    [2, /\bwen\b/iu],
  ],
};
