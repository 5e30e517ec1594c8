import { createHash } from 'node:crypto';
import { HANDLE_LENGTH, parseUrl } from '@archive/contracts';
import type { Target } from '../source.ts';

/** Record key of a post: 13 letters that encode the time and a clock id. */
const RECORD_KEY = /^[a-z2-7]{13}$/;
const DID = /^did:(?:plc:[a-z2-7]{24}|web:[a-z0-9.-]{1,253})$/;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i;
const COLLECTION = 'app.bsky.feed.post';

export interface RecordAddress {
  /** A DID or a handle. */
  authority: string;
  key: string;
}

/** The post that an `at://` address or a link of bsky.app names; null for any other text. */
export function readPostLink(link: string): RecordAddress | null {
  const [, authority = '', key = ''] = link.startsWith('at://')
    ? (/^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(link) ?? [])
    : readWebLink(link);
  if (!RECORD_KEY.test(key) || !(isDid(authority) || isHandle(authority))) return null;
  return { authority: isDid(authority) ? authority : authority.toLowerCase(), key };
}

function readWebLink(link: string): readonly string[] {
  const url = parseUrl(link);
  if (!url) return [];
  const { protocol, hostname, pathname, port, username } = url;
  if (!/^https?:$/.test(protocol) || hostname !== 'bsky.app' || port !== '' || username !== '') return [];
  return /^\/profile\/([^/]+)\/post\/([^/]+)\/?$/.exec(pathname) ?? [];
}

export function isDid(text: string): boolean {
  return DID.test(text);
}

/** Whether the text is a domain name: labels between dots, and the last one does not begin with a digit. */
function isHandle(text: string): boolean {
  const labels = text.split('.');
  const isShort = text.length <= HANDLE_LENGTH && labels.length > 1;
  return isShort && labels.every((label) => LABEL.test(label)) && !/^\d/.test(labels.at(-1) ?? '');
}

/** Builds the target from the author's DID and the record key. */
export function targetOf(did: string, key: string): Target {
  return {
    platform: 'bluesky',
    id: `bsky-${shortDid(did)}-${key}`,
    address: `at://${did}/${COLLECTION}/${key}`,
    url: `https://bsky.app/profile/${did}/post/${key}`,
  };
}

/** Builds the target from an `at://` address; null if the address names no post. */
export function targetAt(address: string): Target | null {
  const link = readPostLink(address);
  return link && isDid(link.authority) ? targetOf(link.authority, link.key) : null;
}

/** A DID in 24 letters: the letters of a `did:plc`, else the beginning of the DID's hash. */
function shortDid(did: string): string {
  const plc = /^did:plc:([a-z2-7]{24})$/.exec(did)?.[1];
  return plc ?? createHash('sha256').update(did).digest('hex').slice(0, 24);
}
