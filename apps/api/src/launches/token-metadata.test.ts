import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { describePost, publishMetadata, writeMetadata } from './token-metadata.ts';

const subject = { mint: 'M'.repeat(44), name: 'Ada "T"', symbol: 'ADA', description: 'a\nb', post: '0'.repeat(24) };
const publicUrl = new URL('https://amber.example');
const CID = `Qm${'a'.repeat(44)}`;

describe('metadata of our own', () => {
  test('says where it is and what it shows', async () => {
    const { uri, json } = await publishMetadata(subject, { publicUrl, pinning: null });
    expect(uri).toBe(`https://amber.example/amber/token/${subject.mint}/metadata.json`);
    expect(json).toBe(writeMetadata(subject, publicUrl));
    expect(JSON.parse(json)).toMatchObject({
      name: 'Ada "T"',
      description: 'a\nb',
      image: `https://amber.example/amber/token/${subject.mint}/image.png`,
    });
  });
});

describe('metadata with a pinning service', () => {
  let server: Server;
  const seen: { headers: IncomingMessage['headers']; body: string }[] = [];

  async function serve(answer: (index: number) => { status?: number; body: string }): Promise<string> {
    seen.length = 0;
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      seen.push({ headers: request.headers, body: Buffer.concat(chunks).toString('latin1') });
      const { status = 200, body } = answer(seen.length - 1);
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  afterEach(() => new Promise((resolve) => server.close(resolve)));

  test.each([
    ['Kubo', (cid: string) => ({ Hash: cid })],
    ['Pinata', (cid: string) => ({ IpfsHash: cid })],
    ['Pinata’s newer interface', (cid: string) => ({ data: { cid } })],
  ])('picture and text go to %s, with the token of ours', async (_, shape) => {
    const endpoint = await serve((index) => ({ body: JSON.stringify(shape(CID.slice(0, -1) + index)) }));
    const pinning = { endpoint, token: 'secret', gateway: 'https://gateway.example/ipfs/' };
    const { uri, json } = await publishMetadata(subject, { publicUrl, pinning });
    expect(uri).toBe(`https://gateway.example/ipfs/${CID.slice(0, -1)}1`);
    expect(JSON.parse(json).image).toBe(`https://gateway.example/ipfs/${CID.slice(0, -1)}0`);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret']);
    expect(seen[0]?.body).toContain('PNG');
    expect(seen[1]?.body).toContain(json);
    expect(JSON.parse(json)).toMatchObject({ name: subject.name, description: '' });
  });

  test.each([
    ['an error', { status: 500, body: '{}' }],
    ['a page', { body: '<html>' }],
    ['nothing of use', { body: '{"Hash":"../../x"}' }],
  ])('%s is a clear refusal', async (_, answer) => {
    const endpoint = await serve(() => answer);
    const pinning = { endpoint, token: null, gateway: 'https://gateway.example/' };
    await expect(publishMetadata(subject, { publicUrl, pinning })).rejects.toMatchObject({
      code: 'metadata_unavailable',
      message: expect.stringMatching(/Nothing was launched/),
    });
  });
});

test('a description is cut between characters as people see them, and says so', () => {
  expect(describePost('👩‍🚀'.repeat(300))).toBe(`${'👩‍🚀'.repeat(199)}…`);
  expect(describePost('👩‍🚀'.repeat(201))).toBe(`${'👩‍🚀'.repeat(199)}…`);
  expect(describePost('👩‍🚀'.repeat(200))).toBe('👩‍🚀'.repeat(200));
  expect(describePost('short')).toBe('short');
  expect(describePost('')).toBe('');
});
