import bs58 from 'bs58';
import nacl from 'tweetnacl';

const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** Base64 of 64 bytes, padded or not. */
const BASE64 = /^[A-Za-z0-9+/]{86}(==)?$/;

/** Order of the group: 2^252 + 27742317777372353535851937790883648493 (RFC 8032, 5.1). */
const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
/** The field's prime. */
const FIELD_PRIME = 2n ** 255n - 19n;
/** The y coordinates of all points of small order. With such a key anyone can make a valid signature over any text. */
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([
  0n,
  1n,
  FIELD_PRIME - 1n,
  0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n,
  0x05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n,
]);

/** First bytes of an off-chain message. No transaction can begin with them. */
const OFFCHAIN_DOMAIN = Uint8Array.of(0xff, ...new TextEncoder().encode('solana offchain'));
/** Longest text that a hardware wallet accepts in one piece. */
const OFFCHAIN_SHORT_BYTES = 1_212;

/** A wallet's 32 bytes. Null if the text is not their canonical base58 form. */
export function decodeAddress(address: string): Uint8Array | null {
  if (address.length < 32 || address.length > 44 || !BASE58.test(address)) return null;
  const bytes = bs58.decode(address);
  return bytes.length === KEY_BYTES && bs58.encode(bytes) === address ? bytes : null;
}

/** Whether this is a canonical address whose key can prove a signature: a key of small order cannot. */
export function isUsableAddress(address: string): boolean {
  const key = decodeAddress(address);
  return key !== null && isStrictKey(key);
}

/**
 * Decodes a signature's 64 bytes from base58 or base64 (padded or not), distinguished by alphabet and length; null for
 * any other text. A text that fits both alphabets is base58 if that gives 64 bytes.
 */
export function decodeSignature(text: string): Uint8Array | null {
  if (text.length < SIGNATURE_BYTES || text.length > 88) return null;
  if (BASE58.test(text)) {
    const bytes = bs58.decode(text);
    if (bytes.length === SIGNATURE_BYTES) return bytes;
  }
  if (!BASE64.test(text)) return null;
  const bare = text.slice(0, 86);
  const binary = atob(`${bare}==`);
  const bytes = Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
  // Bits beyond the 64th byte must be zero. Otherwise two texts would encode the same signature.
  return btoa(binary) === `${bare}==` ? bytes : null;
}

/**
 * Whether `signature` is this wallet's signature over exactly `message`. The check is strict: a canonical key not of
 * small order, and S below the group order. It accepts a signature over the raw text, or over the off-chain envelope
 * that hardware wallets sign.
 */
export function verifySignature(input: { message: string; signature: string; walletAddress: string }): boolean {
  const key = decodeAddress(input.walletAddress);
  const signature = decodeSignature(input.signature);
  if (!key || !signature || !isStrictKey(key) || !isStrictSignature(signature)) return false;
  const message = new TextEncoder().encode(input.message);
  if (nacl.sign.detached.verify(message, signature, key)) return true;
  return envelopes(message, key).some((envelope) => nacl.sign.detached.verify(envelope, signature, key));
}

function isStrictKey(key: Uint8Array): boolean {
  const y = toBigInt(key) & (2n ** 255n - 1n);
  return y < FIELD_PRIME && !SMALL_ORDER_Y.has(y);
}

function isStrictSignature(signature: Uint8Array): boolean {
  return toBigInt(signature.subarray(32)) < GROUP_ORDER;
}

/**
 * The text as off-chain message version 0, in two forms: with the short header of the first Ledger and command-line
 * releases, and with the full header that names application and signer. Source: Anza's "Off-Chain Message Signing"
 * proposal.
 */
function envelopes(message: Uint8Array, key: Uint8Array): Uint8Array[] {
  if (message.length > 0xffff) return [];
  const length = [message.length & 0xff, message.length >> 8];
  const noApplication = new Uint8Array(32);
  const format = offchainFormat(message);
  return [
    Uint8Array.of(...OFFCHAIN_DOMAIN, 0, format, ...length, ...message),
    Uint8Array.of(...OFFCHAIN_DOMAIN, 0, ...noApplication, format, 1, ...key, ...length, ...message),
  ];
}

/** The format byte: 0 for printable ASCII, 1 for other text, 2 for long text. */
function offchainFormat(message: Uint8Array): 0 | 1 | 2 {
  if (message.length > OFFCHAIN_SHORT_BYTES) return 2;
  return message.every((byte) => byte >= 0x20 && byte <= 0x7e) ? 0 : 1;
}

/** Reads a little-endian number, as Ed25519 encodes numbers. */
function toBigInt(bytes: Uint8Array): bigint {
  let value = 0n;
  for (let at = bytes.length - 1; at >= 0; at--) value = (value << 8n) | BigInt(bytes[at] as number);
  return value;
}
