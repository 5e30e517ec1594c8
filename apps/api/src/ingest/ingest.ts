import type { Base } from '../base.ts';
import { AgentKeyStore } from './agent-key-store.ts';

export interface Ingest {
  agentKeys: AgentKeyStore;
}

export function createIngest({ database }: Base): Ingest {
  return { agentKeys: new AgentKeyStore(database.db) };
}
