import { z } from 'zod';
import { BIO_LENGTH, DISPLAY_NAME_LENGTH } from '../limits.ts';
import { REACTION_TYPES } from '../reactions.ts';
import type { SIGNED_MESSAGE_KEYS } from '../signed-messages.ts';
import { THEMES } from '../users.ts';
import { EXAMPLE_WALLET } from './examples.ts';
import { lenient } from './lenient.ts';
import { webAddressSchema } from './post-schema.ts';

/** Longest text that a wallet is asked to sign. The longest profile message is far below. */
const SIGNED_TEXT_LENGTH = 8_000;

const walletAddress = z
  .string('must be a wallet address')
  .max(64, 'must be a wallet address')
  .meta({ description: 'A wallet’s address, base58.', examples: [EXAMPLE_WALLET] });
const message = z
  .string('must be the signed text')
  .min(1, 'must be the signed text')
  .max(SIGNED_TEXT_LENGTH, 'is too long');
const signature = z.string('must be a signature in base58 or base64').max(128, 'must be a signature of 64 bytes');

export const reactionTypeSchema = z.enum(REACTION_TYPES, `must be one of ${REACTION_TYPES.join(', ')}`);

export const challengeBodySchema = lenient(
  (body) => body ?? {},
  z.object({ walletAddress: walletAddress.optional() }, 'must be an object'),
);

export const verifyBodySchema = z.object({ walletAddress, message, signature }, 'must be an object');

export const reactionBodySchema = z.object({ reactionType: reactionTypeSchema }, 'must be an object');

export const signedReactionBodySchema = z.object(
  { reactionType: reactionTypeSchema, walletAddress, message, signature },
  'must be an object',
);

export const signedTextBodySchema = z.object({ walletAddress, message, signature }, 'must be an object');

/** Text of limited length, in code points. */
function limited(max: number) {
  return z
    .string('must be text')
    .refine((value) => value.isWellFormed(), 'holds half a character (a lone surrogate)')
    .refine((value) => value.length <= max || (value.length <= max * 2 && Array.from(value).length <= max), {
      error: `must be at most ${max} characters`,
    });
}

const profileShape = {
  displayName: limited(DISPLAY_NAME_LENGTH).optional(),
  avatar: z.union([z.literal(''), z.null(), webAddressSchema], 'must be an http or https address').optional(),
  bio: limited(BIO_LENGTH).optional(),
};

/** Body of `PUT auth/profile`: unknown fields are ignored. */
export const profileBodySchema = z.object(profileShape, 'must be an object');

/** The profile of a signed message. No other fields, because the server compares all of it. */
const profileDataSchema = z.strictObject(profileShape, {
  error: (issue) =>
    issue.code === 'unrecognized_keys' ? 'holds a field that a profile does not have' : 'must be an object',
});

export const signedProfileBodySchema = z.object(
  { walletAddress, message, signature, profileData: profileDataSchema },
  'must be an object',
);

const preferencesShape = {
  notifications: z.boolean('must be true or false').optional(),
  theme: z.enum(THEMES, `must be one of ${THEMES.join(', ')}`).optional(),
};

/** Any subset of the preferences, flat or under `preferences`. */
export const preferencesBodySchema = z
  .object(
    { ...preferencesShape, preferences: z.object(preferencesShape, 'must be an object').optional() },
    'must be an object',
  )
  .transform(({ preferences, ...flat }) => ({ ...flat, ...preferences }));

/** The JSON of a signed message: these keys and no others. Keys that an action does not use may be null. */
export const signedMessageSchema = z.strictObject({
  action: z.string(),
  reactionType: z.string().nullish(),
  archiveId: z.string().nullish(),
  walletAddress: z.string(),
  profileData: z.unknown().optional(),
  timestamp: z.number().int().nonnegative(),
  domain: z.string().nullish(),
  nonce: z.string().max(200).nullish(),
} satisfies Record<(typeof SIGNED_MESSAGE_KEYS)[number], z.ZodType>);
