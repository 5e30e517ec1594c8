import bs58 from 'bs58';

export class MalformedError extends Error {}

/** Reads a wire format from its beginning. Throws `MalformedError` on anything invalid. */
export class ByteReader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  take(length: number): Uint8Array {
    if (length > this.left) throw new MalformedError('it ends too early');
    this.#at += length;
    return this.#bytes.slice(this.#at - length, this.#at);
  }

  u8(): number {
    return this.take(1)[0] as number;
  }

  u16(): number {
    return this.u8() | (this.u8() << 8);
  }

  u32(): number {
    return this.u16() + this.u16() * 65_536;
  }

  u64(): bigint {
    return BigInt(this.u32()) + (BigInt(this.u32()) << 32n);
  }

  key(): string {
    return bs58.encode(this.take(32));
  }

  /** Solana's compact u16. Only its shortest form is valid, as in the runtime. */
  shortLength(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.u8();
      value |= (byte & 0x7f) << shift;
      if (byte & 0x80) continue;
      if ((shift > 0 && byte === 0) || value > 0xffff) break;
      return value;
    }
    throw new MalformedError('a length is not a compact u16');
  }

  times<T>(count: number, read: () => T): T[] {
    return Array.from({ length: count }, read);
  }
}

export function u32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

export function u64Bytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

export function readU64(data: Uint8Array, at: number): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(at, true);
}

/** The 32 bytes of an address, or undefined. The engine aborts the process on any other length. */
export function addressBytes(text: unknown): Uint8Array | undefined {
  return base58Bytes(text, 32, 44);
}

export function signatureBytes(text: unknown): Uint8Array | undefined {
  return base58Bytes(text, 64, 88);
}

function base58Bytes(text: unknown, length: number, maxText: number): Uint8Array | undefined {
  if (typeof text !== 'string' || text.length > maxText) return undefined;
  const bytes = bs58.decodeUnsafe(text);
  return bytes?.length === length ? bytes : undefined;
}
