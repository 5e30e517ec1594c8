import { PRODUCT_NAME, PRODUCT_SLUG } from '@archive/contracts';
import type { Plugin } from 'vite';

/** Fills the product's name and slug into index.html. */
export function productHtml(): Plugin {
  return {
    name: 'product-html',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replaceAll('%PRODUCT_NAME%', PRODUCT_NAME).replaceAll('%PRODUCT_SLUG%', PRODUCT_SLUG),
    },
  };
}
