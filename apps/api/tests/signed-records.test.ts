import { randomBytes, randomInt } from 'node:crypto';
import { type BlueskyNetwork, callXrpc, type LocalAccount, sharedBluesky, verifyRecord } from '@archive/local-bluesky';
import { aPicture } from '@archive/testing/media';
import { fromUint8Array, writeCarStream } from '@atcute/car';
import { CODEC_RAW, create } from '@atcute/cid';
import { Secp256k1PublicKey } from '@atcute/crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import bs58 from 'bs58';
import { checkSignedRecord, type Identity, readIdentity } from '../src/sources/bluesky/signed-record.ts';

interface Signed {
  rkey: string;
  car: Uint8Array;
}

describe('a record that its author has signed', () => {
  let network: BlueskyNetwork;
  let author: LocalAccount;
  let identity: Identity;
  const signed: Signed[] = [];

  beforeAll(async () => {
    network = await sharedBluesky();
    author = await network.createAccount({});
    identity = await identityOf(author);
    const bytes = await aPicture({ width: 60, height: 40 });
    const images = [{ bytes, alt: 'A slope', width: 60, height: 40 }];
    const first = await author.post({ text: 'plain words' });
    const posts = [
      first,
      await author.post({ text: 'שלום 🌋 \u{1F469}\u200d\u{1F680} 你好\n\nلا' }),
      await author.post({ text: 'with a picture', images }),
      await author.post({ text: 'a quote', quote: first }),
      await author.post({ text: 'a reply', reply: { root: first, parent: first } }),
      await author.post({ text: 'w'.repeat(300) }),
    ];
    for (const { uri } of posts) signed.push(await carOf(author, uri.split('/').at(-1) as string));
  });

  async function identityOf(account: LocalAccount): Promise<Identity> {
    const answer = await fetch(`${network.plc}/${encodeURIComponent(account.did)}`);
    return readIdentity(account.did, await answer.json()) as Identity;
  }

  async function carOf({ did }: LocalAccount, rkey: string): Promise<Signed> {
    const params = { did, collection: 'app.bsky.feed.post', rkey };
    return { rkey, car: await callXrpc<Uint8Array>(network.service, 'com.atproto.sync.getRecord', { params }) };
  }

  const secondOpinion = ({ car, rkey }: Signed, { did, key } = identity) => verifyRecord(car, { did, key, rkey });

  it('is the same to the library of Bluesky’s own servers', async () => {
    for (const one of signed) {
      const { record } = await checkSignedRecord(identity, one.rkey, one.car);
      const other = await secondOpinion(one);
      expect(other).toMatchObject({ text: record.text, createdAt: record.createdAt });
    }
    expect(signed).toHaveLength(6);
  });

  it('is checked by a key of an older DID document, and by no other key of that form', async () => {
    const point = (multikey: string) => {
      const publicKey = Secp256k1PublicKey.importRaw(bs58.decode(multikey.slice(1)).subarray(2));
      return publicKey.then((key) => key.exportPublicKey('jwk'));
    };
    const older = async (multikey: string, isWhole = true) => {
      const { x = '', y = '' } = await point(multikey);
      const [left, right] = [Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
      const parity = 2 + ((right.at(-1) ?? 0) & 1);
      const bytes = isWhole ? [4, ...left, ...right] : [parity, ...left];
      return readIdentity(identity.did, {
        id: identity.did,
        verificationMethod: [
          {
            id: '#atproto',
            type: 'EcdsaSecp256k1VerificationKey2019',
            publicKeyMultibase: `z${bs58.encode(Uint8Array.from(bytes))}`,
          },
        ],
        service: [{ id: '#atproto_pds', serviceEndpoint: identity.server }],
      }) as Identity;
    };
    const [one] = signed as [Signed];
    for (const isWhole of [true, false]) {
      const read = await older(identity.key, isWhole);
      expect(read).toEqual(identity);
      expect(await checkSignedRecord(read, one.rkey, one.car)).toMatchObject({ record: { text: 'plain words' } });
    }
    const stranger = await identityOf(await network.createAccount({}));
    await expect(checkSignedRecord(await older(stranger.key), one.rkey, one.car)).rejects.toThrow();
    const broken = (publicKeyMultibase: string) =>
      readIdentity(identity.did, {
        id: identity.did,
        verificationMethod: [{ id: '#atproto', type: 'EcdsaSecp256k1VerificationKey2019', publicKeyMultibase }],
        service: [{ id: '#atproto_pds', serviceEndpoint: identity.server }],
      });
    for (const wrong of ['z', 'z0OIl', 'mAAAA', `z${bs58.encode(Buffer.alloc(64, 4))}`])
      expect(broken(wrong)).toBeNull();
  });

  it('is kept without what proves nothing of it', async () => {
    const stranger = await network.createAccount({});
    const { uri } = await stranger.post({ text: 'words of another author' });
    const theirs = await carOf(stranger, uri.split('/').at(-1) as string);
    for (const one of signed) {
      const other = signed.find(({ rkey }) => rkey !== one.rkey) as Signed;
      const padded = [];
      const { roots } = fromUint8Array(one.car).header.data;
      for (const car of [other.car, theirs.car, one.car])
        for (const { cid, bytes } of fromUint8Array(car)) padded.push({ cid: cid.bytes, data: bytes });
      const junk = randomBytes(500_000);
      padded.push({ cid: (await create(CODEC_RAW, junk)).bytes, data: junk });
      const chunks: Uint8Array[] = [];
      for await (const chunk of writeCarStream(roots, padded)) chunks.push(chunk);
      const { proof, record } = await checkSignedRecord(identity, one.rkey, Buffer.concat(chunks));
      expect(proof.length).toBeLessThanOrEqual(one.car.length);
      expect(Buffer.from(proof).toString('latin1')).not.toContain('words of another author');
      expect(await secondOpinion({ rkey: one.rkey, car: proof })).toMatchObject({ text: record.text });
    }
  });

  it('is refused with any one byte changed, or cut off anywhere', async () => {
    const one = signed[3] as Signed;
    const own = await checkSignedRecord(identity, one.rkey, one.car);
    for (let at = 0; at < one.car.length; at++) {
      const changed = Uint8Array.from(one.car);
      changed[at] = (changed[at] as number) ^ (1 << randomInt(8));
      expect([at, await outcomeOf(changed)]).toEqual([at, 'refused']);
      expect([at, await outcomeOf(one.car.slice(0, at))]).toEqual([at, 'refused']);
    }

    async function outcomeOf(car: Uint8Array): Promise<unknown> {
      return checkSignedRecord(identity, one.rkey, car).catch(() => 'refused');
    }
    expect(own.record.text).toBe('a quote');
  });

  it('is nobody else’s, and no other record', async () => {
    const [one, other] = signed as [Signed, Signed];
    const stranger = await network.createAccount({});
    const strange = await identityOf(stranger);
    await expect(checkSignedRecord({ ...identity, key: strange.key }, one.rkey, one.car)).rejects.toThrow();
    await expect(checkSignedRecord({ ...identity, did: strange.did }, one.rkey, one.car)).rejects.toThrow();
    await expect(checkSignedRecord(strange, one.rkey, one.car)).rejects.toThrow();
    await expect(checkSignedRecord(identity, other.rkey, one.car)).rejects.toThrow();
    await expect(secondOpinion(one, strange)).rejects.toThrow();
    expect(await secondOpinion({ ...one, rkey: other.rkey })).toBeNull();
  });
});
