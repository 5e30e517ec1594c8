export * from './archive-index.ts';
export { FLAGS, type Flag, type IndexedPost, toRemoval } from './indexed-post.ts';
