import { drawTokenImage } from './token-image.ts';

/** Number of cached pictures; drawing one takes some milliseconds. */
const KEPT = 200;

export class TokenPictures {
  readonly #byMint = new Map<string, Buffer>();

  of({ symbol, mint }: { symbol: string; mint: string }): Buffer {
    const picture = this.#byMint.get(mint) ?? drawTokenImage(symbol, mint);
    this.#byMint.set(mint, picture);
    const [oldest] = this.#byMint.keys();
    if (this.#byMint.size > KEPT && oldest) this.#byMint.delete(oldest);
    return picture;
  }
}
