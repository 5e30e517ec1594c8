import { ENDPOINTS, LAUNCH_DESCRIPTION_LENGTH } from '@archive/contracts';
import { AppError } from '../app-error.ts';
import type { PinningService } from '../config.ts';
import { isServedHere, type LaunchDocument } from './launch-document.ts';
import { drawTokenImage } from './picture/token-image.ts';

const PINNING_TIMEOUT_MS = 10_000;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

interface Subject {
  mint: string;
  name: string;
  symbol: string;
  description: string;
  /** `_id` of the post. */
  post: string;
}

export interface PublishedMetadata {
  /** The metadata address that the token on the chain names. */
  uri: string;
  json: string;
}

/** A post's text; if it is too long, its beginning with an ellipsis. */
export function describePost(content: string): string {
  const parts: string[] = [];
  for (const { segment } of graphemes.segment(content)) {
    if (parts.length === LAUNCH_DESCRIPTION_LENGTH) return `${parts.slice(0, -1).join('')}…`;
    parts.push(segment);
  }
  return content;
}

/**
 * The JSON that a token points to, with the fields that wallets, explorers and pump.fun read. This server serves it.
 */
export function writeMetadata(subject: Subject, publicUrl: URL, image = imageUrl(publicUrl, subject.mint)): string {
  return JSON.stringify({
    name: subject.name,
    symbol: subject.symbol,
    description: subject.description,
    image,
    external_url: `${publicUrl.origin}/post/${subject.post}`,
    showName: true,
    createdOn: publicUrl.origin,
  });
}

/** The text of a post for a launch that a restore has put back without it. */
export function wordsFor(launch: LaunchDocument, content: string): Pick<LaunchDocument, 'description' | 'metadata'> {
  const description = describePost(content);
  const { metadata } = launch;
  return {
    description,
    metadata: isServedHere(launch) ? JSON.stringify({ ...JSON.parse(metadata), description }) : metadata,
  };
}

/** The address of a token's metadata on this server. */
export function metadataUrl(publicUrl: URL, mint: string): string {
  return publicUrl.origin + ENDPOINTS.tokenMetadata.path.replace(':mint', mint);
}

/**
 * Makes the metadata available at the address that the token will name: on this server, or with a pinning service.
 *
 * @throws AppError metadata_unavailable where the service does not take it in time.
 */
export async function publishMetadata(
  subject: Subject,
  options: { publicUrl: URL; pinning: PinningService | null },
): Promise<PublishedMetadata> {
  const { publicUrl, pinning } = options;
  if (!pinning) return { uri: metadataUrl(publicUrl, subject.mint), json: writeMetadata(subject, publicUrl) };
  // Pinned metadata have no text of the post, because they cannot be deleted when the post is removed.
  const wordless = { ...subject, description: '' };
  try {
    const picture = new Blob([new Uint8Array(drawTokenImage(subject.symbol, subject.mint))], { type: 'image/png' });
    const image = await pin(pinning, picture, `${subject.mint}.png`);
    const json = writeMetadata(wordless, publicUrl, image);
    const uri = await pin(pinning, new Blob([json], { type: 'application/json' }), `${subject.mint}.json`);
    return { uri, json };
  } catch (cause) {
    throw new AppError(
      'metadata_unavailable',
      'The service that keeps token metadata does not answer. Nothing was launched. Please try again.',
      { cause },
    );
  }
}

/**
 * Uploads a file and returns its address. Reads the identifier from the answers of Kubo and of both interfaces of
 * Pinata.
 */
async function pin({ endpoint, token, gateway }: PinningService, file: Blob, name: string): Promise<string> {
  const form = new FormData();
  form.set('network', 'public');
  form.set('file', file, name);
  const response = await fetch(endpoint, {
    method: 'POST',
    body: form,
    headers: token ? { authorization: `Bearer ${token}` } : {},
    redirect: 'error',
    signal: AbortSignal.timeout(PINNING_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the pinning service answered ${response.status}`);
  const answer = (await response.json()) as { data?: { cid?: unknown }; IpfsHash?: unknown; Hash?: unknown };
  const identifier = answer.data?.cid ?? answer.IpfsHash ?? answer.Hash;
  if (typeof identifier !== 'string' || !/^[A-Za-z0-9]{46,100}$/.test(identifier)) {
    throw new Error('the pinning service answered no content identifier');
  }
  return gateway + identifier;
}

function imageUrl(publicUrl: URL, mint: string): string {
  return publicUrl.origin + ENDPOINTS.tokenImage.path.replace(':mint', mint);
}
