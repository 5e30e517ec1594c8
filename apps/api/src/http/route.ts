import type { AnswerOf, EndpointName, ParsedOf, Role } from '@archive/contracts';
import type { Request, Response } from 'express';
import type { AppError } from '../app-error.ts';
import type { Asker } from '../question-queue.ts';
import type { Budget } from './rate-limits.ts';
import type { Written } from './written.ts';

/** An answer that is more than JSON with status 200: it writes itself. */
export interface Reply<Answered> {
  (request: Request, response: Response): void | Promise<void>;
  /** For the compiler alone. */
  readonly answers?: Answered;
}

type Answer<N extends EndpointName> = AnswerOf<N> | Reply<AnswerOf<N>> | Written;
type Result<N extends EndpointName> = Answer<N> | Promise<Answer<N>>;

/**
 * `asker` is whom the work is done for, and whether somebody still waits for it; `network` that of the caller's address, by
 * which is limited what is limited for longer than a minute; `requestId` is what the log calls this request.
 */
type Run<N extends EndpointName, Needs, Caller> = (
  needs: Needs,
  input: ParsedOf<N> & Caller & { asker: Asker; network: string; requestId: string },
) => Result<N>;

/** An operator who calls; `actor` as the log of acts names them. */
export interface Operator {
  wallet: string;
  role: Role;
  actor: { kind: 'wallet'; id: string };
  /** Of the sign-in; null where it was not kept. */
  signedInAt: Date | null;
}

interface Terms<Needs> {
  /** Until the archive index is whole, the answer is a 503. */
  needsIndex?: true;
  /** Ready bytes are kept by address until the archive changes; only for what is the same for everybody. */
  isCached?: true;
  /** How a refusal is told where callers read no problem+json; null: as one all the same. */
  refusal?: (needs: Needs, error: AppError) => Written | null;
  /** Counted for the caller's address, before anything else is looked at; where a wallet pays, `session` at least. */
  addressBudget?: Budget;
  /** Points of that budget, where a call costs more than one. */
  addressCost?: number;
  /** Counted for the caller's network; where wallets call, once it is known which. */
  networkBudget?: Budget;
}

/** Who may call, what it costs them, and the use case that answers. What comes in is parsed by the contract. */
export type Route<N extends EndpointName, Needs> = Terms<Needs> &
  (
    | { access: 'anyone'; run: Run<N, Needs, unknown> }
    /** A session is looked at where there is one. */
    | { access: 'visitor'; run: Run<N, Needs, { wallet: string | null }> }
    | { access: 'session'; walletBudget?: Budget; run: Run<N, Needs, { wallet: string; session: string }> }
    /** Somebody who has signed in, or an agent with a key for it; each pays by who it is. */
    | {
        access: 'session or agent key';
        scope: 'ingest' | 'save';
        walletBudget: Budget;
        run: Run<N, Needs, { caller: { kind: 'wallet' | 'key'; id: string } }>;
      }
    /**
     * To everybody else there is nothing at this address. `isFresh`: wants a sign-in of the last minutes. Pays from the
     * budget of operators.
     */
    | { access: 'operator'; role: Role; isFresh?: true; run: Run<N, Needs, Operator> }
    /** The body proves itself: the use case checks the signature, then lets the wallet pay. */
    | { access: 'signature'; walletBudget: Budget; run: Run<N, Needs, { onProven: (wallet: string) => Promise<void> }> }
    /** Its body may be large, and is not read before the key has been checked. */
    | {
        access: 'agent key';
        /** What the key must be for. */
        scope: 'ingest' | 'save';
        /** Counted by the posts that come: the use case says how many. */
        run: Run<N, Needs, { agent: string; onCounted: (posts: number) => Promise<void> }>;
      }
  );

/** What a call costs the caller's address. Whoever pays by wallet pays by address too: wallets are free to make. */
export function addressBudgetOf(
  route: Pick<Terms<never>, 'addressBudget'> & { walletBudget?: Budget },
): Budget | undefined {
  return route.addressBudget ?? (route.walletBudget ? 'session' : undefined);
}

/** The routes of some endpoints: `{ … } satisfies Routes<'me' | 'logout', Needs>`. */
export type Routes<Names extends EndpointName, Needs> = { [N in Names]: Route<N, Needs> };
