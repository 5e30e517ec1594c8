import { Agent, request } from 'node:http';

const AT_ONCE = 8;
const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

/** Requests an address as often as the parent process says, and reports the last answer. */
process.on('message', async ({ url, times }: { url: string; times: number }) => {
  let left = times;
  const ask = () =>
    new Promise<void>((done, fail) => {
      request(url, { agent }, (answer) => {
        if (answer.statusCode !== 200) fail(new Error(`${url} was answered with ${answer.statusCode}`));
        answer.resume().on('end', done);
      })
        .on('error', fail)
        .end();
    });
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await ask();
    }),
  );
  process.send?.('done');
});
