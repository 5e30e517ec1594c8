import { countLetters, readText } from './post-words.ts';

/** Letters below which a guess is worth nothing. */
const LEAST_LETTERS = 20;

/**
 * The language of a text as a BCP 47 tag, or null where its letters are few or say too little. What is not written by hand
 * (links, mentions, hashtags) does not count. Loads its tables at the first text that is long enough: half a second in which
 * the process does nothing else, and about 40 MB.
 *
 * It knows 60 languages and tells no variants apart: `ms` is Malay or Indonesian, `no` either Norwegian, `zh` either script.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  const { plain } = readText(text, { hashtags: false });
  if (countLetters(plain) < LEAST_LETTERS) return null;
  const { eld } = await import('eld/extrasmall');
  const result = eld.detect(plain);
  return result.language !== '' && result.isReliable() ? result.language : null;
}
