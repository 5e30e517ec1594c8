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
import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { borshText } from './borsh-text.ts';
import type { LaunchPlatform, LaunchTerms } from './launch-platform.ts';

const PROGRAM = new PublicKey(TOKEN_2022_PROGRAM);
/** First 8 bytes of SHA-256 of the names below. Source: `spl-token-metadata-interface`. */
const INITIALIZE = Buffer.from('d2e11ea258b84d8d', 'hex'); // spl_token_metadata_interface:initialize_account
const UPDATE_AUTHORITY = Buffer.from('d7e4a6e45464567b', 'hex'); // spl_token_metadata_interface:update_the_authority
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
      const { payer, mint, wallet } = terms;
      const account = new PublicKey(associatedAccount(wallet.toBase58(), mint.toBase58(), TOKEN_2022_PROGRAM));
      const space = getMintLen([ExtensionType.MetadataPointer]);
      return [
        SystemProgram.createAccount({
          fromPubkey: payer,
          newAccountPubkey: mint,
          space,
          // The account grows by its metadata when that is written, and must be able to afford it.
          lamports: await rentOf(space + metadataBytes(terms)),
          programId: PROGRAM,
        }),
        createInitializeMetadataPointerInstruction(mint, null, mint, PROGRAM),
        createInitializeMint2Instruction(mint, token.decimals, payer, null, PROGRAM),
        initializeMetadata(terms),
        giveUpMetadata(terms),
        createAssociatedTokenAccountIdempotentInstruction(payer, account, wallet, mint, PROGRAM),
        createMintToCheckedInstruction(mint, account, payer, token.supply, token.decimals, [], PROGRAM),
        createSetAuthorityInstruction(mint, payer, AuthorityType.MintTokens, null, [], PROGRAM),
      ];
    },
  };
}

/** Update authority, mint, three strings, and no further fields. */
function metadataBytes({ name, symbol, uri }: LaunchTerms): number {
  return (
    EXTENSION_HEADER_BYTES + 32 + 32 + borshText(name).length + borshText(symbol).length + borshText(uri).length + 4
  );
}

function initializeMetadata({ payer, mint, name, symbol, uri }: LaunchTerms): TransactionInstruction {
  return new TransactionInstruction({
    programId: PROGRAM,
    keys: [
      { pubkey: mint, isSigner: false, isWritable: true },
      { pubkey: payer, isSigner: false, isWritable: false },
      { pubkey: mint, isSigner: false, isWritable: false },
      { pubkey: payer, isSigner: true, isWritable: false },
    ],
    data: Buffer.concat([INITIALIZE, borshText(name), borshText(symbol), borshText(uri)]),
  });
}

/** From then on nobody can change the metadata: an authority of all zeros is none. */
function giveUpMetadata({ payer, mint }: LaunchTerms): TransactionInstruction {
  return new TransactionInstruction({
    programId: PROGRAM,
    keys: [
      { pubkey: mint, isSigner: false, isWritable: true },
      { pubkey: payer, isSigner: true, isWritable: false },
    ],
    data: Buffer.concat([UPDATE_AUTHORITY, Buffer.alloc(32)]),
  });
}
