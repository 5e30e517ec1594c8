import { z } from 'zod';

const amberId = z
  .string('must be the id of a post')
  .min(1, 'must be the id of a post')
  .max(64, 'must be the id of a post');

/** Body of `POST feature/verify`; `transaction` is the payment's signature. */
export const verifyFeatureBodySchema = z.object(
  {
    amberId,
    transaction: z.string('must be a transaction signature').max(128, 'must be a transaction signature'),
  },
  'must be an object',
);

/** Body of `POST feature/credits/use`. */
export const useCreditsBodySchema = z.object({ amberId }, 'must be an object');
