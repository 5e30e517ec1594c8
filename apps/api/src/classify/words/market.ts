import type { Evidence } from '../evidence.ts';

/** Shares, bonds, commodities, company results and the economy's figures; coins are crypto's. */
export const market: Evidence = {
  words: {
    4: `nasdaq, s&p, s&p 500, dow jones, wall street, ftse, dax, nikkei, hang seng, russell 2000, stock market, stocks, shareholders, shareholder, eps, earnings call, earnings season, price target,
      basis points, bps, treasuries, treasury yields, bond yields, bond market, ten-year, 10-year, 2-year, yield curve, rate cut, rate cuts, rate hike, rate hikes, interest rates, federal reserve, fomc, powell, the fed, ecb, bank of england, boj,
      inflation, cpi, ppi, pce, nonfarm payrolls, payrolls, jobless claims, gdp, recession, soft landing, stagflation, quantitative easing, opec, opec+, brent, wti, crude, crude oil, natural gas futures, futures, commodities, soybeans,
      hedge fund, hedge funds, private equity, index fund, index funds, mutual fund, mutual funds, etf, etfs, dividend, dividends, buyback, buybacks, share buyback, ipo, ipos, market cap, price to earnings, p/e, pe ratio, free cash flow,
      ebitda, operating margin, gross margin, year over year, yoy, quarterly results, q1 results, q2 results, q3 results, q4 results, guidance, downgrade, downgrades, upgraded to buy, short interest, short seller, short sellers, short squeeze,
      call options, put options, calls expiring, puts, covered calls, implied volatility, vix, bull market, equities, equity markets, pre-market, premarket, after hours, after-hours, all-time high close, intraday,
      portfolio manager, asset allocation, warren buffett, buffett, berkshire, treasury bonds, corporate bonds, credit spreads, junk bonds, mortgage rates, housing starts, consumer confidence, retail sales, pmi, ism, trade deficit,
      moving average, rsi, macd, support and resistance, day trading, swing trade, stop loss, stop-loss, forex, eurusd, usdjpy, bear trap, risk-off, risk-on, sell-off, selloff, valuation, valuations, bondholders, fixed income, 401k, roth ira, soybean`,
    3: `stock, shares, earnings, revenue, investors, investor, investing, portfolio, bonds, bond, yields, yield, fed, hedge, oil prices, gold price, copper, barrel, wheat, traders, trader, trading, equity, analysts, analyst,
      profit, profits, quarter, quarterly, fiscal, rally in, sector, sectors, volatility, macro, economists, economist, central bank, central banks, tariffs, rates, rate, dollar, euro, yen, unemployment, per share,
      overvalued, undervalued, fundamentals, balance sheet, margins, ticker, tickers, brokerage, short position, long position, capital gains, compound interest, expense ratio, drawdown, hedging, consensus estimates, consensus, forecasters, downturn, acquisition, merger, takeover bid, insider buying, 13f, 10-k, 8-k, 10-q`,
    2: `market, markets, economy, economic, price, prices, gold, silver, oil, gas, sales, growth, fund, funds, debt, credit, deficit, bank, banks, banking, mortgage, buy the dip, dip, bulls, bears, bull, bear, bullish, bearish, invest, invested, returns,
      outperform, underperform, beat, beats, misses, missed estimates, closed higher, closes, settles, opens, higher, lower, guided, billion, bn, trillion, percent, q1, q2, q3, q4, ceo, cfo, upside, downside, sold half, trimmed, losses, gains, lows, highs, supply chain, exports, imports, commodity, demand, cents`,
    1: `week, session, year, month, up, down, flat, expected, costs, cost, cash, money, pay, position, business, company, companies, quarter`,
  },
  cashtags: `aapl, tsla, nvda, msft, amzn, goog, googl, meta, nflx, amd, intc, spy, qqq, iwm, dia, dis, ba, jpm, gs, bac, wfc, c, ms, v, ma, pypl, sq, shop, uber, lyft, abnb, coin, hood, pltr, gme, amc, bb, nio, f, gm, ge, t, vz,
    xom, cvx, bp, ko, pep, mcd, sbux, wmt, tgt, cost, hd, low, nke, crm, orcl, ibm, csco, qcom, avgo, tsm, asml, mu, smci, arm, mstr, mara, riot, brk, brk.b, unh, pfe, mrna, jnj, lly, cat, de, lmt, rtx, gld, slv, uso, tlt, vix, es, nq, cl, dxy, bynd, snap, pins, rblx, zm, docu, snow, crwd, panw`,
  hosts: {
    4: `bloomberg.com, wsj.com, ft.com, cnbc.com, marketwatch.com, seekingalpha.com, finance.yahoo.com, investing.com, barrons.com, tradingview.com, sec.gov, morningstar.com, fool.com,
      federalreserve.gov, bls.gov, benzinga.com, finviz.com, stocktwits.com, zerohedge.com, handelsblatt.com, thestreet.com, investopedia.com, nasdaq.com, nyse.com, fred.stlouisfed.org, reuters.com/markets`,
    2: `forbes.com, economist.com, businessinsider.com, fortune.com, imf.org, worldbank.org, oecd.org`,
  },
  accounts: `cnbc, wsj, markets, business, ft, financialtimes, marketwatch, stocktwits, jimcramer, wsjmarkets, deitaone, zerohedge, unusual_whales, financialjuice, federalreserve,
    ycharts, carlquintanilla, thestalwart, investingcom, benzinga, barronsonline, seekingalpha, bespokeinvest, lizannsonders, elerianm, ritholtz, raydalio, awealthofcs`,
  cues: [
    [3, /(?:\b|[+-])\d{1,3}(?:[.,]\d{1,2})? ?bps?\b/iu],
    [2, /[$€£¥]\d[\d.,]{0,12} ?(?:bn|billion|m|mn|million|trillion|B|T)\b/u],
    [2, /\b(?:up|down|rose|fell|gained|lost|climbs?|slips?|jumps?|drops?|slides?|surges?|plunges?) (?:by )?(?:about |nearly |over )?\d{1,3}(?:\.\d{1,2})? ?(?:%|percent)/iu],
    [2, /\bvs\.? (?:\$?\d[\d.,]{0,9}[kmb%]? )?(?:expected|est|estimate|consensus)\b/iu],
    [2, /\bQ[1-4]\b/u],
    [2, /\bP\/E\b/u],
    [1, /\d%/u],
  ],
};
