// The thread of an index from its sources, for tests.
import { register } from 'tsx/esm/api';

register();
await import('../sqlite/worker.ts');
