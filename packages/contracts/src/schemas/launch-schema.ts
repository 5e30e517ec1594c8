import { z } from 'zod';
import { tokenNameProblem, tokenSymbolProblem } from '../launches.ts';

/** Far above the allowed length. Longer text is refused without further checks. */
const MAX_LENGTH = 1_000;

function judged(problemOf: (text: string) => string | null) {
  return z
    .string('must be text')
    .max(MAX_LENGTH, 'is too long')
    .superRefine((text, context) => {
      const problem = text.length <= MAX_LENGTH ? problemOf(text) : null;
      if (problem) context.addIssue({ code: 'custom', message: problem });
    });
}

/** Body of `POST token`; `transaction` is the wallet's signature over the launch sentence. */
export const launchBodySchema = z.object(
  {
    amberId: z
      .string('must be the id of a post')
      .min(1, 'must be the id of a post')
      .max(64, 'must be the id of a post'),
    name: judged(tokenNameProblem),
    symbol: judged(tokenSymbolProblem),
    transaction: z.string('must be a signature in base58 or base64').max(128, 'must be a signature of 64 bytes'),
  },
  'must be an object',
);
