import type { Credit, Post } from '@archive/contracts';
import { describe, expect, test } from '@jest/globals';
import { type ChainSight, furthestPhase, nextStep, PHASES, type ServerAnswer } from './next-step.ts';

const PENDING: ServerAnswer = { kind: 'pending' };
const NOT_FOUND: ServerAnswer = { kind: 'not_found' };
const credit = { _id: 'credit' } as Credit;
const archive = { _id: 'post' } as Post;
const STATUSES: ChainSight['status'][] = [
  undefined,
  null,
  { commitment: 'processed', hasFailed: false },
  { commitment: 'processed', hasFailed: true },
  { commitment: 'confirmed', hasFailed: false },
  { commitment: 'confirmed', hasFailed: true },
  { commitment: 'finalized', hasFailed: false },
];

function sight(over: Partial<ChainSight> = {}): ChainSight {
  return { status: null, mayLand: true, isPast: false, ...over };
}

describe('a signed payment', () => {
  test('is sent again for as long as it may land and nobody has seen it confirmed', () => {
    expect(nextStep(sight(), PENDING)).toEqual({ do: 'send' });
    expect(nextStep(sight({ status: { commitment: 'processed', hasFailed: false } }), PENDING)).toEqual({ do: 'send' });
  });

  test('is only waited for once its last block has passed, or while the node does not answer', () => {
    expect(nextStep(sight({ mayLand: false }), PENDING)).toEqual({ do: 'wait' });
    expect(nextStep(sight({ status: undefined, mayLand: false }), PENDING)).toEqual({ do: 'wait' });
  });

  test('has expired only where the finalized chain is past, the whole history does not know it, and the server says so', () => {
    const expired = { do: 'end', outcome: { kind: 'expired' } };
    const answers: ServerAnswer[] = [PENDING, NOT_FOUND, { kind: 'post_gone', message: 'There is no such post.' }];
    for (const status of STATUSES) {
      for (const isPast of [true, false]) {
        for (const server of answers) {
          const step = nextStep({ status, mayLand: false, isPast }, server);
          if (status === null && isPast && server.kind === 'not_found') expect(step).toEqual(expired);
          else expect(step).not.toEqual(expired);
        }
      }
    }
  });

  test('that the server has not found goes on for as long as the network may have it', () => {
    expect(nextStep(sight(), NOT_FOUND)).toEqual({ do: 'send' });
    expect(nextStep(sight({ mayLand: false }), NOT_FOUND)).toEqual({ do: 'wait' });
    expect(nextStep(sight({ status: undefined, mayLand: false }), NOT_FOUND)).toEqual({ do: 'wait' });
    const confirmed = sight({ status: { commitment: 'confirmed', hasFailed: false } });
    expect(nextStep(confirmed, NOT_FOUND)).toEqual({ do: 'wait' });
  });

  test('that is confirmed waits for the server, however long', () => {
    for (const commitment of ['confirmed', 'finalized'] as const) {
      const status = { commitment, hasFailed: false };
      expect(nextStep(sight({ status }), PENDING)).toEqual({ do: 'wait' });
      expect(nextStep(sight({ status, mayLand: false, isPast: true }), PENDING)).toEqual({ do: 'wait' });
    }
  });

  test('has failed only once that is confirmed: another fork may take it', () => {
    const failed = (commitment: 'processed' | 'confirmed') => sight({ status: { commitment, hasFailed: true } });
    expect(nextStep(failed('confirmed'), PENDING)).toEqual({ do: 'end', outcome: { kind: 'failed' } });
    expect(nextStep(failed('processed'), PENDING)).toEqual({ do: 'send' });
  });

  test.each<ServerAnswer>([
    { kind: 'featured', archive },
    { kind: 'credited', message: 'Too late.', credit },
    { kind: 'refused', message: 'Not yours.' },
    { kind: 'paused' },
  ])('ends with what the server says, whatever the node says: $kind', (answer) => {
    for (const status of STATUSES) {
      expect(nextStep(sight({ status }), answer)).toEqual({ do: 'end', outcome: answer });
    }
  });

  test('for a post that is gone is a credit once it is confirmed, and is waited for until then', () => {
    const gone: ServerAnswer = { kind: 'post_gone', message: 'There is no such post.' };
    expect(nextStep(sight(), gone)).toEqual({ do: 'send' });
    expect(nextStep(sight({ mayLand: false, isPast: true }), gone)).toEqual({ do: 'wait' });
    const confirmed = sight({ status: { commitment: 'confirmed', hasFailed: false } });
    expect(nextStep(confirmed, gone)).toMatchObject({ outcome: { kind: 'credited', credit: null } });
  });
});

describe('what the steps show', () => {
  test('tells sent, confirmed and featured apart', () => {
    const at = (status: ChainSight['status'], server: ServerAnswer = PENDING) =>
      furthestPhase('sending', sight({ status }), server);
    expect(at(null)).toBe('sending');
    expect(at({ commitment: 'processed', hasFailed: false })).toBe('sent');
    expect(at({ commitment: 'confirmed', hasFailed: false })).toBe('confirmed');
    expect(at({ commitment: 'finalized', hasFailed: false })).toBe('confirmed');
    expect(at(null, { kind: 'featured', archive })).toBe('featured');
  });

  test('never goes back', () => {
    for (const before of PHASES) {
      for (const status of STATUSES) {
        const after = furthestPhase(before, sight({ status }), PENDING);
        expect(PHASES.indexOf(after)).toBeGreaterThanOrEqual(PHASES.indexOf(before));
      }
    }
  });
});
