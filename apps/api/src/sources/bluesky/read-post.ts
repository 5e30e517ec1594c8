import {
  AUTHOR_LENGTH,
  CONTENT_LENGTH,
  cutCodePoints,
  LINKS_PER_POST,
  type PostLink,
  readLanguage,
} from '@archive/contracts';
import { type NewMedia, type NewReference, stripControls, webAddressSchema } from '@archive/contracts/schemas';
import { type FetchedPost, SourceTrouble } from '../source.ts';
import { targetAt } from './addresses.ts';
import { ownPart } from './own-part.ts';
import {
  externalEmbed,
  facetSchema,
  imagesEmbed,
  imagesView,
  type PostRecord,
  type PostView,
  recordView,
  videoEmbed,
  videoView,
} from './views.ts';

/** Labels of accounts and labellers for sensitive pictures. */
const SENSITIVE: ReadonlySet<string> = new Set(['porn', 'sexual', 'nudity', 'graphic-media', 'gore', 'nsfl']);
const WITHHELD: ReadonlySet<string> = new Set(['!hide', '!takedown', '!suspend']);
/** Label of an account whose posts are visible only to signed-in users of Bluesky. */
const MEMBERS_ONLY = '!no-unauthenticated';

interface Labelled {
  labels: { val: string; neg?: boolean | undefined }[];
}

function hasLabel({ labels }: Labelled, wanted: (value: string) => boolean): boolean {
  return labels.some(({ val, neg }) => !neg && wanted(val));
}

/** Why a post that Bluesky shows is not kept; null if it is. */
export function refusalOf({ author, labels }: PostView): 'declined' | 'withheld' | null {
  if (hasLabel(author, (value) => value === MEMBERS_ONLY)) return 'declined';
  return hasLabel({ labels: [...labels, ...author.labels] }, (value) => WITHHELD.has(value)) ? 'withheld' : null;
}

/** Converts a post from Bluesky's form to ours. */
export function readPost(view: PostView): FetchedPost {
  const target = targetAt(view.uri);
  if (!target) throw new SourceTrouble(`Bluesky answers a post of another form: ${view.uri.slice(0, 200)}`);
  const { author, record } = view;
  const content = cutCodePoints(stripControls(record.text.toWellFormed()), CONTENT_LENGTH);
  const media = readMedia(view);
  const quoted = readQuote(view);
  const parent = record.reply && referenceTo(record.reply.parent.uri, 'unknown');
  const isSensitive =
    hasLabel(view, (value) => SENSITIVE.has(value)) ||
    (record.labels?.values.some(({ val }) => SENSITIVE.has(val)) ?? false);
  const language = record.langs.map(readLanguage).find((tag) => tag !== null);
  const links = readLinks(record, content);
  return {
    target,
    raw: ownPart(view),
    cid: view.cid,
    ...(author.avatar ? { avatar: author.avatar } : {}),
    sizes: sizesOf(record),
    post: {
      id: target.id,
      content,
      author: cutCodePoints(stripControls(author.displayName?.trim() || author.handle), AUTHOR_LENGTH),
      authorUsername: author.handle,
      authorAvatar: author.avatar ?? null,
      authorId: author.did,
      category: null,
      timestamp: timeOf(view),
      url: target.url,
      metadata: {},
      ...(language && { language }),
      ...(links.length > 0 && { links }),
      ...(isSensitive && { sensitive: true as const }),
      ...(media.length > 0 && { media }),
      ...(parent && { replyTo: parent }),
      ...(quoted && { quoted }),
    },
  };
}

/** The author's own post that this one answers; null if it answers another author's post or no post. */
export function ownParent({ author, record }: Pick<PostView, 'author' | 'record'>): string | null {
  const uri = record.reply?.parent.uri;
  return uri?.startsWith(`at://${author.did}/`) ? uri : null;
}

/** The time that the record states, unless it is later than when Bluesky first saw the post. */
function timeOf({ record, indexedAt }: PostView): Date {
  const seen = new Date(indexedAt);
  const claimed = new Date(record.createdAt);
  const isSensible = !Number.isNaN(claimed.getTime()) && claimed.getUTCFullYear() >= 1700 && claimed <= seen;
  const at = isSensible ? claimed : seen;
  if (Number.isNaN(at.getTime())) throw new SourceTrouble('Bluesky answers a post without a time');
  return at;
}

/**
 * Reads links from facets. Facets count UTF-8 bytes; one that is out of range or starts within a character is ignored.
 */
function readLinks(record: PostRecord, content: string): PostLink[] {
  const links: PostLink[] = [];
  // If characters were removed from the text, the byte offsets of the facets no longer fit.
  if (content === record.text) {
    const bytes = Buffer.from(content);
    for (const one of record.facets) {
      const facet = facetSchema.safeParse(one);
      if (!facet.success) continue;
      const { byteStart, byteEnd } = facet.data.index;
      const uri = facet.data.features.find(({ $type }) => $type === 'app.bsky.richtext.facet#link')?.uri;
      if (!uri || !webAddressSchema.safeParse(uri).success) continue;
      if (byteStart < 0 || byteEnd > bytes.length || byteStart >= byteEnd) continue;
      if (isWithinLetter(bytes, byteStart) || isWithinLetter(bytes, byteEnd)) continue;
      const start = lengthOf(bytes.subarray(0, byteStart));
      links.push({ start, end: start + lengthOf(bytes.subarray(byteStart, byteEnd)), url: uri, title: null });
    }
    links.sort((one, other) => one.start - other.start);
  }
  const apart = links.filter(({ start }, at) => start >= (links[at - 1]?.end ?? 0)).slice(0, LINKS_PER_POST - 1);
  return withCard(apart, record, Array.from(content).length);
}

function isWithinLetter(bytes: Uint8Array, at: number): boolean {
  return ((bytes[at] ?? 0) & 0xc0) === 0x80;
}

function lengthOf(bytes: Buffer): number {
  return Array.from(bytes.toString('utf8')).length;
}

/**
 * Adds a card's title to the link with the same address; without such a link, the card becomes a link below the text.
 */
function withCard(links: PostLink[], { embed }: PostRecord, end: number): PostLink[] {
  const external = externalEmbed.safeParse(embed?.$type === 'app.bsky.embed.recordWithMedia' ? embed['media'] : embed);
  if (!external.success || !webAddressSchema.safeParse(external.data.external.uri).success) return links;
  const { uri, title: whole } = external.data.external;
  const title = cutCodePoints(stripControls(whole.toWellFormed()).trim(), 300) || null;
  const named = links.findIndex(({ url }) => url === uri);
  if (named === -1) return [...links, { start: end, end, url: uri, title }];
  return links.map((link, at) => (at === named ? { ...link, title } : link));
}

/** Pictures and video that the record names, with the platform's addresses. */
function readMedia({ record, embed }: PostView): NewMedia[] {
  const isBoth = record.embed?.$type === 'app.bsky.embed.recordWithMedia';
  const named = isBoth ? record.embed?.['media'] : record.embed;
  const shown = isBoth ? embed?.['media'] : embed;
  const images = imagesEmbed.safeParse(named);
  if (images.success) {
    const views = imagesView.safeParse(shown);
    return images.data.images.slice(0, 20).map(({ image, alt, aspectRatio }, at) => {
      const address = views.success ? views.data.images[at]?.fullsize : undefined;
      return {
        type: image.mimeType === 'image/gif' ? 'gif' : 'image',
        key: image.ref.$link,
        ...(address && { address }),
        ...(alt.trim() !== '' && { alt: cutAlt(alt) }),
        ...aspectRatio,
      };
    });
  }
  const video = videoEmbed.safeParse(named);
  if (!video.success) return [];
  const view = videoView.safeParse(shown);
  const poster = view.success ? view.data.thumbnail : undefined;
  return [
    {
      type: 'video',
      key: video.data.video.ref.$link,
      ...(poster && { poster }),
      ...(video.data.alt?.trim() && { alt: cutAlt(video.data.alt) }),
      ...video.data.aspectRatio,
    },
  ];
}

/** Sizes of the blobs that the record names, by CID. */
function sizesOf({ embed }: PostRecord): Record<string, number> {
  const named = embed?.$type === 'app.bsky.embed.recordWithMedia' ? embed['media'] : embed;
  const images = imagesEmbed.safeParse(named);
  const video = videoEmbed.safeParse(named);
  const blobs = [...(images.data?.images.map(({ image }) => image) ?? []), ...(video.data ? [video.data.video] : [])];
  return Object.fromEntries(blobs.flatMap(({ ref, size }) => (size === undefined ? [] : [[ref.$link, size]])));
}

function cutAlt(alt: string): string {
  return cutCodePoints(stripControls(alt.toWellFormed()), 5_000);
}

function readQuote({ record, embed }: PostView): NewReference | null {
  const isBoth = record.embed?.$type === 'app.bsky.embed.recordWithMedia';
  const view = recordView.safeParse(isBoth ? embed?.['record'] : embed);
  const named = recordView.safeParse(isBoth ? record.embed?.['record'] : record.embed);
  // The author's record decides which post is quoted. The view only tells the state of that post.
  const uri = named.success ? named.data.record.uri : undefined;
  if (uri === undefined) return null;
  const $type = view.success && view.data.record.uri === uri ? view.data.record.$type : '';
  if ($type.endsWith('#viewNotFound') || $type.endsWith('#viewDetached')) return referenceTo(uri, 'deleted');
  return referenceTo(uri, $type.endsWith('#viewBlocked') ? 'protected' : 'unknown');
}

/** Null for a quoted list or feed, which is no post. */
function referenceTo(uri: string, state: NewReference['state']): NewReference | null {
  const target = targetAt(uri);
  return target && { platform: 'bluesky', id: target.id, url: target.url, state };
}
