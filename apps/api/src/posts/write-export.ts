import type { ExportFormat, Post } from '@archive/contracts';
import { csvHeader, csvRow } from './csv.ts';

/** Text chunks of an export, from its first to its last character. Addresses of this archive begin with `origin`. */
export async function* writeExport(
  posts: AsyncIterable<Post[]>,
  format: ExportFormat,
  origin: string,
): AsyncGenerator<string> {
  const chunks = format === 'csv' ? posts : withOrigin(posts, origin);
  if (format === 'csv') yield csvHeader();
  if (format === 'json') yield '[';
  let isFirst = true;
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    if (format === 'csv') yield chunk.map(csvRow).join('');
    else if (format === 'ndjson') yield chunk.map((post) => `${JSON.stringify(post)}\n`).join('');
    else yield (isFirst ? '\n' : ',\n') + chunk.map((post) => JSON.stringify(post)).join(',\n');
    isFirst = false;
  }
  if (format === 'json') yield '\n]\n';
}

/** An exported file has absolute addresses for its pictures. */
async function* withOrigin(chunks: AsyncIterable<Post[]>, origin: string): AsyncGenerator<Post[]> {
  for await (const posts of chunks) yield posts.map((post) => withAddresses(post, origin));
}

/** Makes the archive's own addresses absolute, so that a reader of the file can follow them. */
export function withAddresses(post: Post, origin: string): Post {
  const at = (path: string | null) => path && `${origin}${path}`;
  const avatar = post.authorAvatar?.startsWith('/') ? at(post.authorAvatar) : post.authorAvatar;
  const media = post.media.map((one) => ({ ...one, url: at(one.url), preview: at(one.preview) }));
  return { ...post, authorAvatar: avatar, media };
}
