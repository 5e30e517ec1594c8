import type { Base } from '../base.ts';
import { keptSecret } from '../kept-file.ts';
import { AccountDeletionStore } from './account-deletion-store.ts';
import { AgentKeyStore } from './agent-key-store.ts';
import { BrowserStore } from './browser-store.ts';
import { ChallengeStore } from './challenge-store.ts';
import { SessionStore } from './session-store.ts';
import { SignedMessageStore } from './signed-message-store.ts';
import { Tokens } from './tokens.ts';
import { UserStore } from './user-store.ts';

export interface Accounts {
  agentKeys: AgentKeyStore;
  users: UserStore;
  tokens: Tokens;
  sessions: SessionStore;
  browsers: BrowserStore;
  challenges: ChallengeStore;
  signedMessages: SignedMessageStore;
  deletions: AccountDeletionStore;
}

export function createAccounts({ config, database: { db, clock }, now }: Base): Accounts {
  return {
    agentKeys: new AgentKeyStore(db),
    users: new UserStore(db, now),
    tokens: new Tokens({
      secrets: [
        config.jwtSecret ?? keptSecret(config.dataDir, 'jwt-secret', 'everybody signs in again'),
        ...(config.previousJwtSecret ? [config.previousJwtSecret] : []),
      ],
      issuer: config.publicUrl.origin,
      now,
    }),
    sessions: new SessionStore(db, clock),
    browsers: new BrowserStore(db),
    challenges: new ChallengeStore(db),
    signedMessages: new SignedMessageStore(db),
    deletions: new AccountDeletionStore(db),
  };
}
