// A process from its sources, for tests.
import { register } from 'tsx/esm/api';

register();
await import('./build-until-killed.ts');
