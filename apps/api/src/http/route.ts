import type { AnswerOf, EndpointName, ParsedOf, Role } from '@archive/contracts';
import type { Request, Response } from 'express';
import type { AppError } from '../app-error.ts';
import type { Asker } from '../question-queue.ts';
import type { Budget } from './rate-limits.ts';
import type { Written } from './written.ts';

/** An answer that writes itself, for anything but JSON with status 200. */
export interface Reply<Answered> {
  (request: Request, response: Response): void | Promise<void>;
  /** For the type checker only. */
  readonly answers?: Answered;
}

type Answer<N extends EndpointName> = AnswerOf<N> | Reply<AnswerOf<N>> | Written;
type Result<N extends EndpointName> = Answer<N> | Promise<Answer<N>>;

/**
 * `asker`: the client that the work is done for, with its abort signal. `network`: the network of the caller's address,
 * for limits longer than a minute. `requestId`: the id of this request in the log.
 */
type Run<N extends EndpointName, Needs, Caller> = (
  needs: Needs,
  input: ParsedOf<N> & Caller & { asker: Asker; network: string; requestId: string },
) => Result<N>;

/** The operator who calls; `actor` is the name in the audit log. */
export interface Operator {
  wallet: string;
  role: Role;
  actor: { kind: 'wallet'; id: string };
  /** Time of the sign-in; null if it was not recorded. */
  signedInAt: Date | null;
}

interface Terms<Needs> {
  /** Answers 503 until the archive index is complete. */
  needsIndex?: true;
  /**
   * Ready bytes are cached by address until the archive changes. Only for answers that are the same for all callers.
   */
  isCached?: true;
  /** Writes a refusal for callers that do not read problem+json; null means problem+json after all. */
  refusal?: (needs: Needs, error: AppError) => Written | null;
  /** Budget of the caller's address, charged before anything else. With a wallet budget, the default is `session`. */
  addressBudget?: Budget;
  /** Points of that budget for one call; the default is 1. */
  addressCost?: number;
  /** Budget of the caller's network. For calls by wallet it is charged once the wallet is known. */
  networkBudget?: Budget;
}

/** A route: who may call, which budgets pay, and the use case that answers. The contract parses the input. */
export type Route<N extends EndpointName, Needs> = Terms<Needs> &
  (
    | { access: 'anyone'; run: Run<N, Needs, unknown> }
    /** A session is read if there is one. */
    | { access: 'visitor'; run: Run<N, Needs, { wallet: string | null }> }
    | { access: 'session'; walletBudget?: Budget; run: Run<N, Needs, { wallet: string; session: string }> }
    /** A signed-in wallet, or an agent with a key for this scope. Each pays from its own budget. */
    | {
        access: 'session or agent key';
        scope: 'ingest' | 'save';
        walletBudget: Budget;
        run: Run<N, Needs, { caller: { kind: 'wallet' | 'key'; id: string } }>;
      }
    /**
     * For all other callers this address does not exist. `isFresh` requires a sign-in within the last minutes. Uses the
     * budget of operators.
     */
    | { access: 'operator'; role: Role; isFresh?: true; run: Run<N, Needs, Operator> }
    /** The body contains the proof: the use case checks the signature and then charges the wallet. */
    | { access: 'signature'; walletBudget: Budget; run: Run<N, Needs, { onProven: (wallet: string) => Promise<void> }> }
    /** The body may be large; it is read only after the key is checked. */
    | {
        access: 'agent key';
        /** The scope that the key needs. */
        scope: 'ingest' | 'save';
        /** Charged by the number of posts, which the use case reports. */
        run: Run<N, Needs, { agent: string; onCounted: (posts: number) => Promise<void> }>;
      }
  );

/**
 * The budget of the caller's address. A call paid by a wallet is charged to the address too, since wallets cost
 * nothing.
 */
export function addressBudgetOf(
  route: Pick<Terms<never>, 'addressBudget'> & { walletBudget?: Budget },
): Budget | undefined {
  return route.addressBudget ?? (route.walletBudget ? 'session' : undefined);
}

/** The routes of some endpoints: `{ … } satisfies Routes<'me' | 'logout', Needs>`. */
export type Routes<Names extends EndpointName, Needs> = { [N in Names]: Route<N, Needs> };
