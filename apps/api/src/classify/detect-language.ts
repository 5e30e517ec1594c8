import { countLetters, readText } from './post-words.ts';

/** With fewer letters, a guess is worthless. */
const LEAST_LETTERS = 20;

/**
 * The language of a text as a BCP 47 tag; null if the text is too short or ambiguous. Links, mentions and hashtags do
 * not count. The first long enough text loads the tables: this blocks the process for half a second and takes about 40
 * MB.
 *
 * It knows 60 languages but no variants: `ms` is Malay or Indonesian, `no` is either Norwegian, `zh` is either script.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  const { plain } = readText(text, { hashtags: false });
  if (countLetters(plain) < LEAST_LETTERS) return null;
  const { eld } = await import('eld/extrasmall');
  const result = eld.detect(plain);
  return result.language !== '' && result.isReliable() ? result.language : null;
}
