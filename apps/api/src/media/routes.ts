import { AppError } from '../app-error.ts';
import type { Routes } from '../http/route.ts';
import { storedFile } from '../http/stored-file.ts';
import type { Media } from './media.ts';
import { previewName } from './media-document.ts';

/**
 * Pages elsewhere may show them, as those that embed a post do: nothing here depends on who asks. Reading them by script they
 * may not: nothing needs it. A removal reaches caches on the way within a minute. Opened by itself a file can run, load and send nothing, whatever is hidden in it.
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
        // Of this making of it: another one has another name.
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
