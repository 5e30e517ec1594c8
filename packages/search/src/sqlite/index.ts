export { checkIndex, type IndexReport } from './check-index.ts';
export { openIndex } from './index-threads.ts';
