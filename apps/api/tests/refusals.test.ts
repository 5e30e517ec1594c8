import { expect, it } from '@jest/globals';
import request from 'supertest';
import { recordedLog } from './_recorded-log.ts';
import { startTestApi } from './_test-api.ts';

it('a refusal is logged once with its request: a read below what a change is, and never with the body', async () => {
  const { log, lines } = recordedLog();
  const api = await startTestApi({ overrides: { log } });
  const refusals = () => lines.filter(({ msg }) => msg === 'refused');
  const unknown = await request(api.app).get('/amber/archives/nobody');
  expect(refusals()).toEqual([
    expect.objectContaining({
      level: log.levels.values['debug'],
      code: 'post_not_found',
      reason: unknown.body.message,
      requestId: unknown.headers['x-request-id'],
      path: '/amber/archives/nobody',
    }),
  ]);
  const broken = request(api.app).post('/amber/auth/challenge').set('content-type', 'application/json');
  await broken.send('{"a secret');
  expect(refusals()[1]).toMatchObject({ level: log.levels.values['info'], code: 'invalid_json' });
  const wrong = { walletAddress: '1'.repeat(32), message: 'no JSON', signature: '1'.repeat(64) };
  await request(api.app)
    .put('/amber/auth/profile/signature')
    .send({ ...wrong, profileData: {} });
  expect(refusals()).toHaveLength(3);
  expect(JSON.stringify(lines)).not.toContain('a secret');
  await api.close();
});

it('a database that is away is ours to mend: the refusal stands out and names what failed', async () => {
  const { log, lines } = recordedLog();
  const api = await startTestApi({ overrides: { log } });
  const { client } = api.context.database;
  await client.close();
  const answer = await request(api.app).get('/amber/archives/nobody');
  expect(answer.body).toMatchObject({ status: 503, code: 'database_unavailable' });
  expect(lines.filter(({ msg }) => msg === 'refused')).toEqual([
    expect.objectContaining({
      level: log.levels.values['error'],
      requestId: answer.headers['x-request-id'],
      err: expect.objectContaining({ type: expect.stringMatching(/^Mongo/) }),
    }),
  ]);
  await api.close({ keepDatabase: true });
});

it('what anybody can ask for at will does not flood the log: no long address, and of no route what was refused alone', async () => {
  const { log, lines } = recordedLog();
  const api = await startTestApi({ overrides: { log } });
  const long = 'a'.repeat(15_000);
  lines.length = 0;
  const answers = [
    await request(api.app).post(`/nothing/${long}`),
    await request(api.app).head(`/amber/archives/${long}`),
    await request(api.app).post(`/amber/reactions/%ff${long}/signature`),
    await request(api.app).post(`/amber/reactions/${long}/signature`).send({}),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 400, 400]);
  const told = lines.filter(({ msg }) => msg === 'request' || msg === 'refused');
  const { debug, info } = log.levels.values;
  expect(told.map(({ msg, level, method }) => [msg, level, method])).toEqual([
    ['request', debug, 'POST'],
    ['refused', debug, 'HEAD'],
    ['request', debug, 'HEAD'],
    ['refused', info, 'POST'],
    ['request', debug, 'POST'],
    ['refused', info, 'POST'],
    ['request', info, 'POST'],
  ]);
  expect(Math.max(...lines.map((line) => JSON.stringify(line).length))).toBeLessThan(1_000);
  await api.close();
});
