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
/** Type and length in front of an extension. */
const EXTENSION_HEADER_BYTES = 4;

/**
 * A Token-2022 mint that carries its own metadata. The whole supply goes to the wallet that launches; nobody can ever
 * mint more, freeze an account, change the metadata or point elsewhere. The launch key pays, and holds nothing.
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
          // The account grows by its metadata when that is written, and must be able to afford it.
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
        // From then on nobody can change the metadata.
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
