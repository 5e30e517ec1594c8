import type { ArchiveSort } from '@archive/contracts';
import type { Mark } from '@archive/search';
import { AppError } from '../app-error.ts';

/** Encodes a mark as text: sort order, `_id`, place, and the key if it is a number. */
export function writeCursor({ sortBy, sortOrder }: ArchiveSort, { oid, key, passed }: Mark): string {
  const parts = [sortBy, sortOrder, Buffer.from(oid).toString('hex'), passed, key ?? ''];
  return Buffer.from(parts.join(' ')).toString('base64url');
}

/** @throws AppError invalid_request if the text is no cursor, or a cursor of another order */
export function readCursor({ sortBy, sortOrder }: ArchiveSort, text: string): Mark {
  const parts = /^(\w{1,20}) (asc|desc) ([0-9a-f]{24}) ([1-9]\d{0,9}) (-?\d{1,16})?$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  );
  if (!parts) throw refused('must be the next of an earlier page');
  const [, field, order, oid = '', passed, key] = parts;
  if (field !== sortBy || order !== sortOrder) throw refused('is of a page in another order');
  return { oid: Buffer.from(oid, 'hex'), key: key === undefined ? null : Number(key), passed: Number(passed) };
}

function refused(message: string): AppError {
  return new AppError('invalid_request', `cursor: ${message}`, { errors: [{ path: 'cursor', message }] });
}
