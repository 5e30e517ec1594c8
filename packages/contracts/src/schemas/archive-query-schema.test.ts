import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { CATEGORIES } from '../categories.ts';
import { archiveQuerySchema, exportQuerySchema } from './archive-query-schema.ts';

const words = expect.stringMatching(/^[a-z].{15,}[^.]$/);
const shared = {
  search: { description: words, type: 'string' },
  author: { description: words, type: 'string' },
  content: { description: words, type: 'string' },
  handle: { description: words, type: 'string', maxLength: 506 },
  category: { description: words, type: 'string', enum: CATEGORIES },
  startDate: { description: words, type: 'string', format: 'date' },
  endDate: { description: words, type: 'string', format: 'date' },
  media: { description: words, type: 'string', enum: ['any', 'image', 'video', 'none'] },
  platform: { description: words, type: 'string', enum: ['x', 'bluesky', 'other'] },
  language: { description: words, type: 'string', pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$', maxLength: 35 },
  featured: { description: words, type: 'string', enum: ['true'] },
  launched: { description: words, type: 'string', enum: ['true'] },
  q: { description: words, type: 'string' },
  match: { description: words, type: 'string', enum: ['exact', 'words', 'most', 'any'] },
  sortBy: {
    description: words,
    type: 'string',
    enum: ['timestamp', 'author', 'content', 'category', 'saved', 'reactions'],
    default: 'timestamp',
  },
  sortOrder: { description: words, type: 'string', enum: ['desc', 'asc'], default: 'desc' },
};

function describeInput(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', target: 'draft-2020-12' });
}

describe('as a JSON schema every parameter says what it takes', () => {
  test('of a listing', () => {
    expect(describeInput(archiveQuerySchema)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        ...shared,
        page: { description: words, type: 'integer', minimum: 1, maximum: 100_000_000, default: 1 },
        limit: { description: words, type: 'integer', minimum: 1, maximum: 1000, default: 12 },
        cursor: { description: expect.any(String), type: 'string', pattern: '^[\\w-]{1,200}$' },
        split: { description: words, type: 'string', enum: ['featured'] },
      },
    });
  });

  test('of an export', () => {
    expect(describeInput(exportQuerySchema)).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        ...shared,
        format: { description: words, type: 'string', enum: ['csv', 'json', 'ndjson'], default: 'csv' },
        since: { description: words, type: 'string', maxLength: 200 },
      },
    });
  });
});

describe('a query', () => {
  test('means the same where a parameter is empty as where it is absent', () => {
    const absent = { sortBy: 'timestamp', sortOrder: 'desc', page: 1, limit: 12 };
    expect(archiveQuerySchema.parse({})).toEqual(absent);
    expect(archiveQuerySchema.parse({ search: '', category: '', startDate: '', page: '', limit: '' })).toEqual(absent);
  });

  test.each([
    [{ page: '0' }, 'must be a whole number from 1 to 100000000'],
    [{ page: '01' }, 'must be a whole number from 1 to 100000000'],
    [{ page: '1e3' }, 'must be a whole number from 1 to 100000000'],
    [{ page: ['1', '2'] }, 'must be given once'],
    [{ limit: '1001' }, 'must be a whole number from 1 to 1000'],
    [{ limit: '99999999999999999999' }, 'must be a whole number from 1 to 1000'],
    [{ search: ['a', 'b'] }, 'must be given once'],
    [{ handle: 'a'.repeat(507) }, 'is too long'],
    [{ category: 'sports' }, `must be one of ${CATEGORIES.join(', ')}`],
    [{ media: 'gif' }, 'must be one of any, image, video, none'],
    [{ platform: 'twitter' }, 'must be one of x, bluesky, other'],
    [{ featured: 'false' }, 'must be one of true'],
    [{ match: 'fuzzy' }, 'must be one of exact, words, most, any'],
    [{ q: ['a', 'b'] }, 'must be given once'],
    [{ language: 'English' }, 'must be a language tag, like en or pt-BR'],
    [{ language: ['en', 'ja'] }, 'must be given once'],
    [{ startDate: '2026-02-30' }, 'must be a date, YYYY-MM-DD'],
    [{ startDate: '2026-02-03', endDate: '2026-02-02' }, 'must not be after endDate'],
  ])('is refused with one sentence: %j', (query, message) => {
    expect(archiveQuerySchema.safeParse(query).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});
