import { ExtensionType, unpackMint } from '@solana/spl-token';
import { type AccountInfo, type Connection, PublicKey } from '@solana/web3.js';
import { isDecimals } from '../amount.ts';
import type { ReceiverTerms } from '../feature-terms.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../programs.ts';

/** A token's terms on the chain. */
export type MintTerms = Pick<ReceiverTerms, 'mint' | 'tokenProgram' | 'decimals'>;

/** The token is not accepted for payments. The message gives the reason in one sentence. */
export class UnsupportedMintError extends Error {
  override readonly name = 'UnsupportedMintError';
}

/** Extensions that do not affect transfers and amounts. All others are refused, including future ones. */
const HARMLESS_EXTENSIONS: ReadonlySet<number> = new Set([
  ExtensionType.MintCloseAuthority,
  ExtensionType.MetadataPointer,
  ExtensionType.TokenMetadata,
  ExtensionType.GroupPointer,
  ExtensionType.TokenGroup,
  ExtensionType.GroupMemberPointer,
  ExtensionType.TokenGroupMember,
]);

const REASONS: Readonly<Record<number, string>> = {
  [ExtensionType.TransferFeeConfig]: 'it may take a fee from every transfer',
  [ExtensionType.ConfidentialTransferMint]: 'its balances may be hidden',
  [ExtensionType.DefaultAccountState]: 'its new accounts may start frozen',
  [ExtensionType.NonTransferable]: 'it cannot be transferred',
  [ExtensionType.InterestBearingConfig]: 'the amounts it shows are not the amounts it moves',
  [ExtensionType.ScaledUiAmountConfig]: 'the amounts it shows are not the amounts it moves',
  [ExtensionType.PermanentDelegate]: 'somebody may take it back from every account',
  [ExtensionType.TransferHook]: 'another program runs on every transfer',
  [ExtensionType.PausableConfig]: 'its transfers may be paused',
};

/**
 * Reads the token's program and decimals from the chain at `confirmed`.
 *
 * @throws UnsupportedMintError where there is no such mint, or its Token-2022 extensions could alter, hold up, hide or
 * take back a payment.
 */
export async function readMint(connection: Pick<Connection, 'getAccountInfo'>, mint: string): Promise<MintTerms> {
  return readMintAccount(mint, await connection.getAccountInfo(new PublicKey(mint), 'confirmed'));
}

/** As `readMint`, from an account that was already fetched. */
export function readMintAccount(mint: string, info: AccountInfo<Buffer> | null): MintTerms {
  if (!info) throw new UnsupportedMintError(`There is no token ${mint} on this network`);
  const tokenProgram = info.owner.toBase58();
  const { decimals, tlvData } = unpack(mint, info, tokenProgram);
  const extension = extensionTypes(tlvData).find((type) => !HARMLESS_EXTENSIONS.has(type));
  if (extension !== undefined) {
    const reason = REASONS[extension] ?? `it has an extension (${extension}) that is not known here`;
    throw new UnsupportedMintError(`The token ${mint} cannot be used for payments: ${reason}`);
  }
  if (!isDecimals(decimals)) throw new UnsupportedMintError(`The token ${mint} has too many decimals (${decimals})`);
  return { mint, tokenProgram, decimals };
}

function unpack(mint: string, info: AccountInfo<Buffer>, tokenProgram: string) {
  const isTokenProgram = tokenProgram === TOKEN_PROGRAM || tokenProgram === TOKEN_2022_PROGRAM;
  try {
    const unpacked = isTokenProgram ? unpackMint(new PublicKey(mint), info, info.owner) : null;
    if (unpacked?.isInitialized) return unpacked;
  } catch (error) {
    throw new UnsupportedMintError(`${mint} is not a token`, { cause: error });
  }
  throw new UnsupportedMintError(`${mint} is not a token`);
}

/** Types of the entries (type, length, value) after a Token-2022 mint. Type 0 is padding and ends the list. */
function extensionTypes(tlvData: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at + 4 <= tlvData.length; at += 4 + tlvData.readUInt16LE(at + 2)) {
    const type = tlvData.readUInt16LE(at);
    if (type === ExtensionType.Uninitialized) break;
    types.push(type);
  }
  return types;
}
