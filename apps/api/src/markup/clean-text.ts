/** Characters that HTML and XML forbid: control characters and noncharacters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu;

/**
 * Prepares a text for HTML and XML: lone surrogates become U+FFFD, all line breaks become line feeds, and forbidden
 * characters are removed. Feed and HTML writers escape, but do not do this.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(FORBIDDEN, '');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Cleans and escapes a text for HTML and XML, also within a quoted attribute. */
export function escapeText(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** JSON for a script element in HTML; it can neither end the element nor begin a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'string' ? cleanText(one) : one)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
