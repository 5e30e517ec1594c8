import { associatedAccount } from '@archive/solana/chain';
import { TOKEN_2022_PROGRAM } from '@archive/solana/verify';
import {
  AuthorityType,
  createAssociatedTokenAccountIdempotentInstruction,
  createInitializeMetadataPointerInstruction,
  createInitializeMint2Instruction,
  createMintToCheckedInstruction,
  createSetAuthorityInstruction,
  ExtensionType,
  getMintLen,
} from '@solana/spl-token';
import { createInitializeInstruction, createUpdateAuthorityInstruction, pack } from '@solana/spl-token-metadata';
import { PublicKey, SystemProgram } from '@solana/web3.js';
import type { LaunchPlatform } from './launch-platform.ts';

const PROGRAM = new PublicKey(TOKEN_2022_PROGRAM);
/** Type and length before each extension. */
const EXTENSION_HEADER_BYTES = 4;

/**
 * A Token-2022 mint with its own metadata. The launching wallet gets the whole supply. No account can ever mint more,
 * freeze an account, or change the metadata or its address. The launch key pays and holds nothing.
 */
export function token2022(token: { decimals: number; supply: bigint }): LaunchPlatform {
  return {
    name: 'token-2022',
    label: 'Token-2022',
    tokenProgram: TOKEN_2022_PROGRAM,
    isOn: () => true,
    async instructions(terms, rentOf) {
      const { payer, mint, wallet, name, symbol, uri } = terms;
      const account = new PublicKey(associatedAccount(wallet.toBase58(), mint.toBase58(), TOKEN_2022_PROGRAM));
      const space = getMintLen([ExtensionType.MetadataPointer]);
      const metadata = pack({ updateAuthority: payer, mint, name, symbol, uri, additionalMetadata: [] });
      return [
        SystemProgram.createAccount({
          fromPubkey: payer,
          newAccountPubkey: mint,
          space,
          // The account grows when the metadata is written, so it needs the rent for the final size.
          lamports: await rentOf(space + EXTENSION_HEADER_BYTES + metadata.length),
          programId: PROGRAM,
        }),
        createInitializeMetadataPointerInstruction(mint, null, mint, PROGRAM),
        createInitializeMint2Instruction(mint, token.decimals, payer, null, PROGRAM),
        createInitializeInstruction({
          programId: PROGRAM,
          metadata: mint,
          updateAuthority: payer,
          mint,
          mintAuthority: payer,
          name,
          symbol,
          uri,
        }),
        // After this, the metadata can never change.
        createUpdateAuthorityInstruction({
          programId: PROGRAM,
          metadata: mint,
          oldAuthority: payer,
          newAuthority: null,
        }),
        createAssociatedTokenAccountIdempotentInstruction(payer, account, wallet, mint, PROGRAM),
        createMintToCheckedInstruction(mint, account, payer, token.supply, token.decimals, [], PROGRAM),
        createSetAuthorityInstruction(mint, payer, AuthorityType.MintTokens, null, [], PROGRAM),
      ];
    },
  };
}
