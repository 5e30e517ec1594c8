/** What neither HTML nor XML may hold: control characters, and code points that are no characters. */
const FORBIDDEN = /(?![\t\n])\p{Cc}|\p{Noncharacter_Code_Point}/gu;

/**
 * A text as HTML and XML can hold it: lone surrogates become U+FFFD, every line break a line feed, and what is forbidden
 * there goes. Feed and HTML writers escape, and let these through.
 */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(FORBIDDEN, '');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** The same as text or the value of a quoted attribute, in HTML and XML alike. */
export function escapeText(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** JSON for a script element of HTML: nothing in it ends the element or begins a comment. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'string' ? cleanText(one) : one)).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
