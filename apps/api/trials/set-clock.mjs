/**
 * Loaded before the product. Sets its clock ahead by the milliseconds in the file CLOCK_FILE, which is read again and
 * again.
 */
import { readFileSync } from 'node:fs';

const Real = Date;
let ahead = 0;

const read = () => {
  try {
    ahead = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8')) || 0;
  } catch {
    // The file is being written.
  }
};
read();
setInterval(read, 50).unref();

globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + ahead);
    else super(...given);
  }

  static now() {
    return Real.now() + ahead;
  }
};
