import { ALT_LENGTH, AUTHOR_LENGTH, cutCodePoints, MEDIA_PER_POST, parseUrl, readLanguage } from '@archive/contracts';
import { type NewMedia, type NewReference, stripControls } from '@archive/contracts/schemas';
import { type FetchedPost, SourceTrouble } from '../source.ts';
import { referenceTo, targetOf } from './addresses.ts';
import type { XMedia, XPost } from './answers.ts';
import { readText } from './post-text.ts';
import type { ToldPosts } from './told-posts.ts';

/** Why a post that X returns is not kept; null if it is. */
export function refusalOf(told: ToldPosts, post: XPost): 'protected' | 'withheld' | 'not_a_post' | null {
  // The agent's account may follow protected accounts, so X may return their posts.
  if (told.authorOf(post)?.protected === true) return 'protected';
  if (post.withheld !== undefined && post.withheld !== null) return 'withheld';
  return post.reposted === null ? null : 'not_a_post';
}

/**
 * Converts a post from X's form to ours.
 *
 * @param maxVideoBytes - of a video the best version is taken that may be so large
 */
export function readPost(told: ToldPosts, post: XPost, maxVideoBytes: number): FetchedPost {
  const author = told.authorOf(post);
  if (!author) throw new SourceTrouble(`X answers a post without its author: ${post.id}`);
  const target = targetOf(post.id, author.username);
  const { content, links } = readText(post);
  const media = told
    .mediaOf(post)
    .slice(0, MEDIA_PER_POST)
    .map((one) => readMedia(one, maxVideoBytes));
  const avatar = author.profile_image_url?.replace('_normal.', '_400x400.');
  const language = readLanguage(post.lang);
  const replyTo = readReference(told, post.parent);
  const quoted = readReference(told, post.quoted);
  return {
    target,
    raw: told.bytesOf(post),
    ...(avatar && { avatar }),
    post: {
      id: post.id,
      content,
      author: cutCodePoints(stripControls(author.name.toWellFormed()).trim() || author.username, AUTHOR_LENGTH),
      authorUsername: author.username,
      authorAvatar: avatar ?? null,
      authorId: author.id,
      category: null,
      timestamp: timeOf(post),
      url: target.url,
      metadata: {},
      ...(language && { language }),
      ...(links.length > 0 && { links }),
      ...(post.possibly_sensitive && { sensitive: true as const }),
      ...(media.length > 0 && { media }),
      ...(replyTo && { replyTo }),
      ...(quoted && { quoted }),
    },
  };
}

export function timeOf({ id, created_at = '' }: XPost): Date {
  const at = new Date(created_at);
  if (Number.isNaN(at.getTime())) throw new SourceTrouble(`X answers a post without a time: ${id}`);
  return at;
}

function readReference(told: ToldPosts, id: string | null): NewReference | null {
  if (id === null) return null;
  const problem = told.problemOf(id);
  const state = problem === undefined ? 'unknown' : problem === 'deleted' ? 'deleted' : 'protected';
  return referenceTo(id, told.authorOf(told.part(id))?.username, state);
}

const TYPES = { photo: 'image', animated_gif: 'gif', video: 'video' } as const;

function readMedia(media: XMedia, maxVideoBytes: number): NewMedia {
  const { media_key: key, type, preview_image_url: poster, alt_text: alt, width, height, duration_ms } = media;
  const address = type === 'photo' ? media.url && originalOf(media.url) : bestVideo(media, maxVideoBytes);
  return {
    type: TYPES[type],
    key,
    ...(address && { address }),
    ...(poster && type !== 'photo' && { poster }),
    ...(width && height && { width, height }),
    ...(alt?.trim() && { alt: cutCodePoints(stripControls(alt.toWellFormed()), ALT_LENGTH) }),
    ...(duration_ms && { durationMs: duration_ms }),
  };
}

/** Asks for the original size, since X otherwise sends a smaller picture. */
function originalOf(address: string): string {
  const url = parseUrl(address);
  if (!url) return address;
  if (url.hostname === 'pbs.twimg.com' && url.pathname.startsWith('/media/')) url.searchParams.set('name', 'orig');
  return url.href;
}

/** The best MP4 that fits the size limit, estimated from its bit rate; the smallest if none fits. */
function bestVideo({ variants, duration_ms = 0 }: XMedia, maxBytes: number): string | undefined {
  const videos = variants
    .filter(({ content_type }) => content_type === 'video/mp4')
    .toSorted((one, other) => (other.bit_rate ?? 0) - (one.bit_rate ?? 0));
  const fits = videos.find(({ bit_rate = 0 }) => (bit_rate / 8) * (duration_ms / 1_000) <= maxBytes);
  return (fits ?? videos.at(-1))?.url;
}
