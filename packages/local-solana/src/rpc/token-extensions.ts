import bs58 from 'bs58';
import { ByteReader } from '../chain/bytes.ts';

const EXTENSIONS_AT = 166;
const NO_KEY = '11111111111111111111111111111111';

/**
 * The extensions that the project meets. Others are named by their number in Token-2022, as an older node names them.
 */
const READERS: Record<number, { extension: string; read?: (reader: ByteReader) => Record<string, unknown> }> = {
  1: {
    extension: 'transferFeeConfig',
    read: (reader) => ({
      transferFeeConfigAuthority: optionalKey(reader),
      withdrawWithheldAuthority: optionalKey(reader),
      withheldAmount: Number(reader.u64()),
      olderTransferFee: transferFee(reader),
      newerTransferFee: transferFee(reader),
    }),
  },
  2: { extension: 'transferFeeAmount', read: (reader) => ({ withheldAmount: Number(reader.u64()) }) },
  3: { extension: 'mintCloseAuthority', read: (reader) => ({ closeAuthority: optionalKey(reader) }) },
  6: { extension: 'defaultAccountState', read: (reader) => ({ accountState: accountState(reader.u8()) }) },
  7: { extension: 'immutableOwner' },
  8: { extension: 'memoTransfer', read: (reader) => ({ requireIncomingTransferMemos: reader.u8() === 1 }) },
  9: { extension: 'nonTransferable' },
  12: { extension: 'permanentDelegate', read: (reader) => ({ delegate: optionalKey(reader) }) },
  14: {
    extension: 'transferHook',
    read: (reader) => ({ authority: optionalKey(reader), programId: optionalKey(reader) }),
  },
  18: {
    extension: 'metadataPointer',
    read: (reader) => ({ authority: optionalKey(reader), metadataAddress: optionalKey(reader) }),
  },
  19: {
    extension: 'tokenMetadata',
    read: (reader) => ({
      updateAuthority: optionalKey(reader),
      mint: reader.key(),
      name: text(reader),
      symbol: text(reader),
      uri: text(reader),
      additionalMetadata: reader.times(reader.u32(), () => [text(reader), text(reader)]),
    }),
  },
};

/** The extensions of a Token-2022 mint or account, in a node's form. */
export function describeExtensions(data: Uint8Array): { extension: string; state?: Record<string, unknown> }[] {
  if (data.length <= EXTENSIONS_AT) return [];
  const reader = new ByteReader(data.subarray(EXTENSIONS_AT));
  const found: ReturnType<typeof describeExtensions> = [];
  while (reader.left >= 4) {
    const kind = reader.u16();
    if (kind === 0) break;
    const value = new ByteReader(reader.take(reader.u16()));
    const known = READERS[kind];
    if (!known) found.push({ extension: 'unparseableExtension' });
    else found.push({ extension: known.extension, ...(known.read && { state: known.read(value) }) });
  }
  return found;
}

function optionalKey(reader: ByteReader): string | null {
  const key = bs58.encode(reader.take(32));
  return key === NO_KEY ? null : key;
}

function transferFee(reader: ByteReader) {
  return {
    epoch: Number(reader.u64()),
    maximumFee: Number(reader.u64()),
    transferFeeBasisPoints: reader.u16(),
  };
}

function accountState(state: number): string {
  return ['uninitialized', 'initialized', 'frozen'][state] ?? 'uninitialized';
}

function text(reader: ByteReader): string {
  return Buffer.from(reader.take(reader.u32())).toString('utf8');
}
