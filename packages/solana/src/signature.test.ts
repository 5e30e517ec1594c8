import { describe, expect, test } from '@jest/globals';
import bs58 from 'bs58';
import fc from 'fast-check';
import nacl from 'tweetnacl';
import { decodeAddress, decodeSignature, verifySignature } from './signature.ts';

const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const pair = nacl.sign.keyPair.fromSeed(new Uint8Array(32).fill(7));
const walletAddress = bs58.encode(pair.publicKey);
const message = 'sign me ✍️';
const bytes = new TextEncoder().encode(message);
const signature = nacl.sign.detached(bytes, pair.secretKey);

const verify = (raw: Uint8Array, text = message, wallet = walletAddress) =>
  verifySignature({ message: text, signature: bs58.encode(raw), walletAddress: wallet });

describe('a strict signature check', () => {
  test('accepts the wallet over exactly these bytes, in base58 and both base64 forms', () => {
    const base64 = Buffer.from(signature).toString('base64');
    for (const text of [bs58.encode(signature), base64, base64.replace(/=+$/, '')]) {
      expect(verifySignature({ message, signature: text, walletAddress })).toBe(true);
    }
  });

  test('refuses another text, another wallet and any changed bit', () => {
    const other = bs58.encode(nacl.sign.keyPair().publicKey);
    expect(verify(signature, `${message} `)).toBe(false);
    expect(verify(signature, message, other)).toBe(false);
    fc.assert(
      fc.property(fc.nat(511), (bit) => {
        const changed = signature.slice();
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(verify(changed)).toBe(false);
      }),
      { numRuns: 20 },
    );
  });

  test('refuses the same signature with the group order added to S, which the primitive lets through', () => {
    const malleated = signature.slice();
    let s = 0n;
    for (let at = 63; at >= 32; at--) s = (s << 8n) | BigInt(malleated[at] as number);
    s += GROUP_ORDER;
    for (let at = 32; at < 64; at++, s >>= 8n) malleated[at] = Number(s & 255n);
    expect(nacl.sign.detached.verify(bytes, malleated, pair.publicKey)).toBe(true);
    expect(verify(malleated)).toBe(false);
  });

  test('refuses keys of small order, under which anybody can sign anything', () => {
    const identity = new Uint8Array(32);
    identity[0] = 1;
    // R = identity, S = 0 satisfies the equation for every text under the identity key.
    const forged = new Uint8Array(64);
    forged[0] = 1;
    expect(nacl.sign.detached.verify(bytes, forged, identity)).toBe(true);
    const smallOrder = [
      '0100000000000000000000000000000000000000000000000000000000000000',
      'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      '0000000000000000000000000000000000000000000000000000000000000000',
      '0000000000000000000000000000000000000000000000000000000000000080',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
      'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
      '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
      // The same points, with y not reduced by the prime.
      'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
      'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
    ];
    for (const hex of smallOrder) {
      const key = Uint8Array.from(Buffer.from(hex, 'hex'));
      for (let tries = 0; tries < 16; tries++) {
        const text = `any text ${tries}`;
        for (const raw of [forged, nacl.randomBytes(64), new Uint8Array(64)]) {
          expect(verify(raw, text, bs58.encode(key))).toBe(false);
        }
      }
    }
  });

  test('accepts the off-chain envelopes of hardware wallets and nothing else around the text', () => {
    const domain = [0xff, ...new TextEncoder().encode('solana offchain')];
    const length = [bytes.length & 0xff, bytes.length >> 8];
    const short = Uint8Array.of(...domain, 0, 1, ...length, ...bytes);
    const full = Uint8Array.of(...domain, 0, ...new Uint8Array(32), 1, 1, ...pair.publicKey, ...length, ...bytes);
    for (const envelope of [short, full]) {
      expect(verify(nacl.sign.detached(envelope, pair.secretKey))).toBe(true);
    }
    const stranger = Uint8Array.of(...full);
    stranger[17] = 1;
    expect(verify(nacl.sign.detached(stranger, pair.secretKey))).toBe(false);
    expect(verify(nacl.sign.detached(Uint8Array.of(0, ...bytes), pair.secretKey))).toBe(false);
  });

  test.each([
    ['printable ASCII', 0, ' ~'],
    ['a control character below', 1, 'a\u001f'],
    ['a control character above', 1, 'a\u007f'],
    ['more than ASCII', 1, 'ä'],
    ['the longest ASCII of one piece', 0, 'a'.repeat(1_212)],
    ['longer ASCII', 2, 'a'.repeat(1_213)],
    ['longer text than ASCII', 2, 'ä'.repeat(607)],
    ['the longest of all', 2, 'a'.repeat(65_535)],
  ])('accepts off-chain envelopes around %s in format %i alone', (_, format, text) => {
    const domain = [0xff, ...new TextEncoder().encode('solana offchain')];
    const said = new TextEncoder().encode(text);
    const length = [said.length & 0xff, said.length >> 8];
    for (const written of [0, 1, 2]) {
      const short = Uint8Array.of(...domain, 0, written, ...length, ...said);
      const head = [...domain, 0, ...new Uint8Array(32), written, 1, ...pair.publicKey];
      for (const envelope of [short, Uint8Array.of(...head, ...length, ...said)]) {
        const isRight = verify(nacl.sign.detached(envelope, pair.secretKey), text);
        expect([written, isRight]).toEqual([written, written === format]);
      }
    }
  });

  test('takes no signature of another length and never throws', () => {
    expect(decodeSignature(bs58.encode(signature.slice(0, 63)))).toBeNull();
    expect(decodeSignature(bs58.encode(Uint8Array.of(...signature, 1)))).toBeNull();
    // With the length of unpadded base64, but invalid: base64 decoders throw on it.
    for (const text of [`${'A'.repeat(85)}=`, `${'A'.repeat(84)}==`, `${'A'.repeat(87)}=`, `${'A'.repeat(86)}=`]) {
      expect([text, decodeSignature(text)]).toEqual([text, null]);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), fc.string({ maxLength: 60 }), (text, wallet) => {
        expect(verifySignature({ message, signature: text, walletAddress: wallet })).toBe(false);
      }),
    );
  });

  test('reads every signature back from base58 and base64, also where one looks like the other', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (raw) => {
        const base64 = Buffer.from(raw).toString('base64');
        expect(decodeSignature(bs58.encode(raw))).toEqual(raw);
        expect(decodeSignature(base64)).toEqual(Uint8Array.from(raw));
      }),
    );
    // Unpadded base64 of base58 letters only. As base58 it would be 63 bytes.
    const looksLikeBase58 = 'A'.repeat(85).concat('A');
    expect(decodeSignature(looksLikeBase58)).toEqual(new Uint8Array(64));
    expect(decodeSignature(`${'A'.repeat(85)}B`)).toBeNull();
  });

  test('takes an address only in its one canonical form', () => {
    expect(decodeAddress(walletAddress)).toEqual(pair.publicKey);
    for (const wrong of [` ${walletAddress}`, `${walletAddress}1`, `1${walletAddress}`, '', '0'.repeat(44)]) {
      expect(decodeAddress(wrong)).toBeNull();
    }
  });
});
