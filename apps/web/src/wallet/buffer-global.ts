/** web3.js needs Node's Buffer to read accounts. Import this module before any module that uses web3.js. */
import { Buffer } from 'buffer';

(globalThis as { Buffer?: unknown }).Buffer ??= Buffer;
