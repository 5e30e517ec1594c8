import { z } from 'zod';
import { URL_LENGTH } from '../limits.ts';
import { SAVE_STATES } from '../saves.ts';
import { count, oneOf, parameter } from './archive-query-schema.ts';

/** Body of `POST saves`. The use case checks the address, which may stand within a text, as phones share it. */
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
  state: parameter(
    'only requests in this state; `open`: that have not come to an end',
    oneOf(['open', ...SAVE_STATES]).optional(),
  ),
  mine: parameter('only those of the session’s wallet', oneOf(['true']).optional()),
});

/** Query of `GET live`. `since` exists because a page that reopens a closed stream cannot set a header. */
export const liveQuerySchema = z.object({
  since: parameter(
    'id of the last event that came; wins over none, `Last-Event-ID` wins over it',
    z
      .string({ error: 'must be given once' })
      .regex(/^\d{1,16}$/, 'must be the id of an event')
      .optional(),
  ),
});
