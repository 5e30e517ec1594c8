export { checkIndex } from './check-index.ts';
export { openIndex } from './index-threads.ts';
