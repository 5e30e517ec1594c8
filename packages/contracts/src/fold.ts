/** In these texts folding changes capitals only. */
const PLAIN = /^[\t\n\r -~]*$/;
const FULL_WIDTH = /[\uff01-\uff5e]/g;
/** Distance from an ASCII character to its full-width form. */
const FULL_WIDTH_OFFSET = 0xfee0;
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;

/**
 * Folds a text for searching; the search compares folded texts by substring. Capitals, full-width forms, the accents of
 * Latin and Greek letters, `ё` and the shapes of quotation marks make no difference; other letters do.
 */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower
    .replace(FULL_WIDTH, (form) => String.fromCharCode(form.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .normalize('NFD')
    .replace(ACCENTS, '$1')
    .replaceAll('е\u0308', 'е')
    .normalize('NFC')
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"');
}

/** The part of a handle that `@part` looks for; a lone `@` is text. `folded` is a folded text. */
export function handlePart(folded: string): string | undefined {
  return folded.length > 1 && folded.startsWith('@') ? folded.slice(1) : undefined;
}
