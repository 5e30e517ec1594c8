export interface MetadataEntry {
  path: string;
  label: string;
  value: string;
}

const SHOWN = 24;
const VALUE_LENGTH = 300;

/**
 * Metadata as labelled entries: `quotedBy` becomes "Quoted by", and a nested value is labelled by its path. Empty
 * values and the `known` keys are left out.
 */
export function metadataEntries(metadata: Record<string, unknown>, known: readonly string[] = []): MetadataEntry[] {
  const others = Object.entries(metadata).filter(([key]) => !known.includes(key));
  return flatten(Object.fromEntries(others), []).slice(0, SHOWN);
}

function flatten(value: unknown, path: readonly string[]): MetadataEntry[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return [entry(path, value.join(', '))];
  if (typeof value === 'object') return Object.entries(value).flatMap(([key, item]) => flatten(item, [...path, key]));
  return [entry(path, typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value))];
}

function entry(path: readonly string[], value: string): MetadataEntry {
  const text = value.length > VALUE_LENGTH ? `${value.slice(0, VALUE_LENGTH).toWellFormed()}…` : value;
  return { path: path.join('.'), label: path.map(words).join(', '), value: text };
}

function words(key: string): string {
  const spaced = key
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim()
    .toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
