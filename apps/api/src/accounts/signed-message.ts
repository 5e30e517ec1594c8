import { signedMessageSchema } from '@archive/contracts/schemas';
import { verifySignature } from '@archive/solana/verify';
import type { z } from 'zod';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { Accounts } from './accounts.ts';
import { requireAddress, requireSignatureForm, type SignedText } from './signed-text.ts';

export type SignedMessage = z.output<typeof signedMessageSchema>;

/**
 * Parses a signed JSON message and checks everything except its subject: its keys, the wallet, the domain if it names
 * one, and the signature over exactly these bytes. Stores nothing.
 */
export function checkSignedMessage(
  context: Pick<Base, 'config'>,
  input: SignedText,
  action: 'add' | 'remove' | 'updateProfile' | 'deleteAccount',
): SignedMessage {
  requireAddress(input.walletAddress);
  requireSignatureForm(input.signature);
  const message = readMessage(input.message);
  requireSame('action', message.action, action);
  requireSame('walletAddress', message.walletAddress, input.walletAddress);
  if (message.domain != null) requireSame('domain', message.domain, context.config.publicUrl.host);
  if (!verifySignature(input)) throw new AppError('signature_invalid', 'The signature does not fit the wallet.');
  return message;
}

/**
 * Accepts the message once, within 5 minutes of its timestamp. Throws a conflict the second time, and after a newer
 * message about the same subject.
 */
export async function spendSignedMessage(
  context: { accounts: Pick<Accounts, 'signedMessages' | 'deletions'> },
  text: string,
  message: SignedMessage,
  about: string,
): Promise<void> {
  // A deletion may be requested again while one is in progress; it is then repeated.
  if (message.action !== 'deleteAccount') await context.accounts.deletions.requireNone(message.walletAddress);
  const outcome = await context.accounts.signedMessages.accept(text, about, message.timestamp);
  if (outcome === 'accepted') return;
  if (outcome !== 'replayed') {
    throw new AppError(
      'message_expired',
      `The signed timestamp is more than 5 minutes off. The server's time is ${outcome.toISOString()}.`,
    );
  }
  throw new AppError('message_replayed', 'This signed message was used before, or a newer one was.');
}

export function requireSame(name: string, signed: unknown, wanted: unknown): void {
  if (signed === wanted) return;
  throw new AppError('invalid_request', `The signed ${name} is not the one of the request.`, {
    errors: [{ path: `message.${name}`, message: 'is not the one of the request' }],
  });
}

function readMessage(text: string): SignedMessage {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refusal('The signed message is not valid JSON.', 'must be JSON', cause);
  }
  // Parsers differ in which of two equal keys counts, so duplicates are refused.
  if (countKeysWritten(text) !== countKeysHeld(value))
    throw refusal('The signed message repeats a key.', 'repeats a key');
  const result = signedMessageSchema.safeParse(value);
  if (!result.success) {
    throw refusal(
      'The signed message does not have the fields it should.',
      result.error.issues[0]?.message ?? 'is not valid',
    );
  }
  return result.data;
}

function refusal(sentence: string, message: string, cause?: unknown): AppError {
  return new AppError('invalid_request', sentence, { errors: [{ path: 'message', message }], cause });
}

/** Counts the keys in valid JSON text: each string that a colon follows. */
function countKeysWritten(text: string): number {
  let count = 0;
  for (const [, colon] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*(:)?/g)) if (colon) count++;
  return count;
}

/**
 * Deeper than any of our messages. Keys below this depth are not counted, so the counts differ and the message is
 * refused.
 */
const DEEPEST = 10;

function countKeysHeld(value: unknown, depth = 0): number {
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return 0;
  const children = Object.values(value).reduce<number>((sum, child) => sum + countKeysHeld(child, depth + 1), 0);
  return Array.isArray(value) ? children : children + Object.keys(value).length;
}
