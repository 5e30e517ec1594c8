import { call, TestWallet } from '@archive/testing';
import { AgentKeyStore } from '../../src/accounts/agent-key-store.ts';
import { newPushKeys } from '../../src/push-keys.ts';
import { Stage } from '../stage.ts';
import { type AttackReport, attack } from './attack.ts';

const POSTS = 1_000;
const SLOWEST_MS = 1_000;
/** Posts that the attackers know; the others can only be found. */
const KNOWN = 20;

/** Attacks the built product, beside a user whose session and profile must not change. */
export async function runAttack(options: {
  requests: number;
  seed: number;
  onSeries?: (line: string) => void;
}): Promise<AttackReport> {
  const { publicKey: VAPID_PUBLIC_KEY, privateKey: VAPID_PRIVATE_KEY } = newPushKeys();
  const stage = await Stage.open({
    posts: POSTS,
    solana: { slotMs: 50 },
    env: { SECURITY_CONTACT: 'mailto:security@example.org', VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY },
  });
  try {
    const { key } = await new AgentKeyStore(stage.database.db).create('attack');
    const posts = Array.from({ length: KNOWN }, () => stage.takePost());
    const bystander = new TestWallet();
    const { token } = await bystander.signIn(stage.product);
    await call(stage.product, 'PUT', '/amber/auth/profile', token, { displayName: 'Bystander' });
    const before = await call(stage.product, 'GET', '/amber/auth/me', token);
    const report = await attack(stage.product, { ...options, key, posts, slowestMs: SLOWEST_MS });
    const after = await call(stage.product, 'GET', '/amber/auth/me', token);
    if (JSON.stringify(after.body) !== JSON.stringify(before.body)) report.wrong.push('a bystander was touched');
    return report;
  } finally {
    await stage.close();
  }
}
