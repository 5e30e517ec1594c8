import { type Answer, call, type Product, TestWallet } from '@archive/testing';
import { reactionsTo, Visitor } from './visitor.ts';

const AT_ONCE = 100;

/**
 * Runs rounds of equal parallel calls (verify, add, remove), each of which must have one effect. Returns how many
 * rounds were wrong.
 */
export async function runReactionRaces(
  product: Product,
  post: string,
  rounds: number,
  onRounds: (line: string) => void,
): Promise<number> {
  let wrong = 0;
  const atOnce = (ask: () => Promise<Answer>) => Promise.all(Array.from({ length: AT_ONCE }, ask));
  const count = async () => (await reactionsTo(product, post)).thumbsUp;
  for (let round = 1; round <= rounds; round++) {
    const signed = await new TestWallet().signedChallenge(product);
    const verified = await atOnce(() => call(product, 'POST', '/amber/auth/verify', null, signed));
    const won = verified.filter(({ status }) => status === 200);
    const visitor = new Visitor(product, signed.walletAddress, won[0]?.body.token ?? '');
    const before = await count();
    const added = await atOnce(() => visitor.set(post, 'thumbsUp', true));
    const during = await count();
    const removed = await atOnce(() => visitor.set(post, 'thumbsUp', false));
    const after = await count();
    const isAllFine = [...added, ...removed].every(({ status }) => status === 200);
    if (won.length !== 1 || during !== before + 1 || after !== before || !isAllFine) wrong++;
    if (round % AT_ONCE === 0) onRounds(`${round} rounds of races, ${wrong} wrong`);
  }
  return wrong;
}
