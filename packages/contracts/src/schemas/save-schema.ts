import { z } from 'zod';
import { URL_LENGTH } from '../limits.ts';
import { SAVE_STATES } from '../saves.ts';
import { count, oneOf, parameter } from './archive-query-schema.ts';

/** Body of `POST saves`. What the address names is judged by the use case: it may stand in a text, as phones share it. */
export const saveBodySchema = z
  .object({
    url: z
      .string('must be text')
      .trim()
      .min(1, 'must not be empty')
      .max(URL_LENGTH, `must be at most ${URL_LENGTH} characters`)
      .describe('A link to a post on X or Bluesky, or an `at://` address.'),
  })
  .meta({ examples: [{ url: 'https://bsky.app/profile/did:plc:abcdefghijklmnopqrstuvwx/post/3lbxyzabcde2f' }] });

/** Query of `GET saves`. */
export const savesQuerySchema = z.object({
  page: count('which page, from 1', 10_000, 1),
  limit: count('how many requests a page holds', 100, 20),
  state: parameter('only requests in this state', oneOf(SAVE_STATES).optional()),
  mine: parameter('only those of the session’s wallet', oneOf(['true']).optional()),
});
