import { expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApi } from './_test-api.ts';

const PATH = '/.well-known/security.txt';
const DAY_MS = 86_400_000;

it('names whom to tell of a weakness, as RFC 9116 wants it', async () => {
  const api = await startTestApi({
    env: { SECURITY_CONTACT: 'mailto:security@example.org', PUBLIC_URL: 'https://archive.example' },
  });
  const answer = await request(api.app).get(PATH);
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = new Map(
    answer.text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  );
  expect([...fields.keys()]).toEqual(['Contact', 'Expires', 'Preferred-Languages', 'Canonical']);
  expect(fields.get('Contact')).toBe('mailto:security@example.org');
  expect(fields.get('Canonical')).toBe(`https://archive.example${PATH}`);
  const days = (Date.parse(fields.get('Expires') as string) - Date.now()) / DAY_MS;
  expect(days).toBeGreaterThan(80);
  expect(days).toBeLessThan(365);
  await api.close();
});

it('is nothing where nobody is named', async () => {
  const api = await startTestApi();
  const answer = await request(api.app).get(PATH);
  expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  await api.close();
});
