import type { AnswerOf, Role, SwitchName } from '@archive/contracts';
import type { Db } from 'mongodb';
import { AppError } from '../app-error.ts';
import { checkLog } from '../audit/check-log.ts';
import type { Base } from '../base.ts';
import { OperatorStore } from './operator-store.ts';
import { StopStore } from './stop-store.ts';

/** What operators have stopped. */
export interface Stops {
  /** By the name of a switch. */
  switches: StopStore;
  /** Suspended wallets, by address. */
  wallets: StopStore;
}

export interface Operators extends Stops {
  store: OperatorStore;
  /** What a wallet may right now; null: nothing that others may not. */
  roleOf(wallet: string): Promise<Role | null>;
  /** Whether the log of acts is whole, as found within the last minute. */
  checkLog(): Promise<AnswerOf<'checkLog'>>;
}

/** Going through a long log takes seconds. */
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

/** Why this wallet may not do what suspended ones may not; null where it may. */
export async function findSuspension({ wallets }: Pick<Stops, 'wallets'>, wallet: string): Promise<AppError | null> {
  return (await wallets.isStopped(wallet)) ? suspended() : null;
}

export function suspended(): AppError {
  return new AppError('wallet_suspended', 'This wallet was suspended by the operators of the archive.');
}

/** Why nobody can do this now; null where nothing was stopped. */
export async function findStop({ switches }: Pick<Stops, 'switches'>, name: SwitchName): Promise<AppError | null> {
  if (!(await switches.isStopped(name))) return null;
  return name === 'launching'
    ? new AppError('launching_unavailable', 'Launching is paused for now. Nothing was sent.')
    : new AppError('featuring_unavailable', 'Featuring is paused for now.');
}
