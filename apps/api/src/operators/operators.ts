import type { Role } from '@archive/contracts';
import type { Base } from '../base.ts';
import { OperatorStore } from './operator-store.ts';

export interface Operators {
  store: OperatorStore;
  /** What a wallet may right now; null: nothing that others may not. */
  roleOf(wallet: string): Promise<Role | null>;
}

export function createOperators({ config, database }: Pick<Base, 'config' | 'database'>): Operators {
  const store = new OperatorStore(database.db);
  return {
    store,
    roleOf: async (wallet) => {
      if (config.adminWallets.includes(wallet)) return 'admin';
      return (await store.find(wallet))?.role ?? null;
    },
  };
}
