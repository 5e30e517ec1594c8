import { expect, test } from '@jest/globals';
import { POST_TABLE } from './post-table.ts';

test('the table is the one that index files of before were made with', () => {
  expect(POST_TABLE).toBe(
    'CREATE TABLE post (rank INTEGER PRIMARY KEY, oid BLOB NOT NULL, at INTEGER NOT NULL, category INTEGER NOT NULL, traits INTEGER NOT NULL, saved_at INTEGER NOT NULL, reactions INTEGER NOT NULL, thread TEXT, author INTEGER NOT NULL, author_key TEXT NOT NULL, names TEXT NOT NULL, content_key TEXT, content TEXT NOT NULL);',
  );
});
