import { AppError } from '../app-error.ts';
import type { Routes } from '../http/route.ts';
import { storedFile } from '../http/stored-file.ts';
import type { Media } from './media.ts';
import { previewName } from './media-document.ts';

/**
 * The same for all callers, so pages of other sites may show the files, as embedded posts do. Their scripts may not
 * read them, since none needs to. Caches drop a removed file within a minute. A file opened directly cannot run
 * scripts, load or send anything.
 */
const HEADERS = {
  'Cache-Control': 'public, max-age=86400, s-maxage=60',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

type Needs = { media: Media };

export const mediaRoutes = {
  mediaFile: {
    access: 'anyone',
    run: async ({ media: { served } }, { params: { sha256 } }) => {
      const file = await served.find(sha256);
      if (!file) throw unknown();
      const { name, type, bytes: size } = file;
      return storedFile({
        type,
        size,
        etag: `"${sha256}"`,
        headers: HEADERS,
        open: (range) => served.open(name, range),
      });
    },
  },
  mediaPreview: {
    access: 'anyone',
    run: async ({ media: { served } }, { params: { sha256 } }) => {
      const file = await served.find(sha256);
      if (!file || file.previewBytes === null) throw unknown();
      const name = previewName(file.name);
      return storedFile({
        type: 'image/webp',
        size: file.previewBytes,
        // The name changes with each new storing.
        etag: `"${file.name}"`,
        headers: HEADERS,
        open: (range) => served.open(name, range),
      });
    },
  },
} satisfies Routes<'mediaFile' | 'mediaPreview', Needs>;

function unknown(): AppError {
  return new AppError('not_found', 'No such file is kept here.');
}
