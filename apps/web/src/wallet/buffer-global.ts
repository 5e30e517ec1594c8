/** web3.js reads accounts with Node's Buffer; imported before anything that does. */
import { Buffer } from 'buffer';

(globalThis as { Buffer?: unknown }).Buffer ??= Buffer;
