import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import type { Plugin } from 'vite';

const PATH = 'manifest.webmanifest';

/** The web app manifest: the look of the installed page, and the share target for posts. */
const MANIFEST = {
  name: PRODUCT_NAME,
  short_name: PRODUCT_NAME,
  description: `Posts, kept in ${PRODUCT_SLUG}.`,
  start_url: '/',
  display: 'standalone',
  background_color: '#f7f4f0',
  theme_color: '#f7f4f0',
  id: '/',
  icons: [
    { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
    { src: '/static/img/icon-192.png', type: 'image/png', sizes: '192x192' },
    { src: '/static/img/icon-512.png', type: 'image/png', sizes: '512x512' },
    { src: '/static/img/icon-maskable.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  ],
  share_target: { action: '/save', method: 'GET', params: { title: 'title', text: 'text', url: 'url' } },
};

export function webManifest(): Plugin {
  return {
    name: 'web-manifest',
    transformIndexHtml: {
      order: 'post',
      handler: () => [{ tag: 'link', attrs: { rel: 'manifest', href: `/${PATH}` }, injectTo: 'head' }],
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: PATH, source: JSON.stringify(MANIFEST) });
    },
  };
}
