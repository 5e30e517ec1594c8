import type { AnswerOf, Role, SwitchName } from '@archive/contracts';
import type { Db } from 'mongodb';
import { AppError } from '../app-error.ts';
import { checkLog } from '../audit/check-log.ts';
import type { Base } from '../base.ts';
import { OperatorStore } from './operator-store.ts';
import { StopStore } from './stop-store.ts';

/** Features and wallets that operators have stopped. */
export interface Stops {
  /** By the name of a switch. */
  switches: StopStore;
  /** Suspended wallets, by address. */
  wallets: StopStore;
}

export interface Operators extends Stops {
  store: OperatorStore;
  /** The current role of a wallet; null for none. */
  roleOf(wallet: string): Promise<Role | null>;
  /** The result of the check of the audit log, at most a minute old. */
  checkLog(): Promise<AnswerOf<'checkLog'>>;
}

/** Milliseconds; checking a long log takes seconds. */
const LOG_CHECKED_FOR_MS = 60_000;

export function createOperators({ config, database }: Pick<Base, 'config' | 'database'>): Operators {
  const store = new OperatorStore(database.db);
  let checked: { at: Date; answer: Promise<AnswerOf<'checkLog'>> } | undefined;
  const check = async (at: Date) => {
    const { entries, faults } = await checkLog(database, config);
    return { entries, faults, checkedAt: at.toISOString() };
  };
  return {
    ...createStops(database.db),
    store,
    roleOf: async (wallet) => {
      if (config.adminWallets.includes(wallet)) return 'admin';
      return (await store.find(wallet))?.role ?? null;
    },
    checkLog: () => {
      const at = database.clock.now();
      if (!checked || at.getTime() - checked.at.getTime() > LOG_CHECKED_FOR_MS) {
        const own = { at, answer: check(at) };
        own.answer.catch(() => {
          if (checked === own) checked = undefined;
        });
        checked = own;
      }
      return checked.answer;
    },
  };
}

export function createStops(db: Db): Stops {
  return {
    switches: new StopStore(db.collection('switches')),
    wallets: new StopStore(db.collection('suspended_wallets')),
  };
}

/** The refusal for a suspended wallet; null if the wallet is not suspended. */
export async function findSuspension({ wallets }: Pick<Stops, 'wallets'>, wallet: string): Promise<AppError | null> {
  return (await wallets.isStopped(wallet)) ? suspended() : null;
}

export function suspended(): AppError {
  return new AppError('wallet_suspended', 'This wallet was suspended by the operators of the archive.');
}

/** The refusal for a stopped feature; null if it is not stopped. */
export async function findStop({ switches }: Pick<Stops, 'switches'>, name: SwitchName): Promise<AppError | null> {
  if (!(await switches.isStopped(name))) return null;
  return name === 'launching'
    ? new AppError('launching_unavailable', 'Launching is paused for now. Nothing was sent.')
    : new AppError('featuring_unavailable', 'Featuring is paused for now.');
}
