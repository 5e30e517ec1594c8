import { type Group, parseQuery } from './search-query.ts';
import { type PanelFields, printQuery, type Question, type Terms, writeFields } from './search-words.ts';

/** Splits the words into the panel's fields and the `rest`, which only chips show. */
export function readPanel(words: string): { fields: PanelFields; rest: Group[] } {
  const fields: PanelFields = {};
  const texts: Group[] = [];
  const rest: Group[] = [];
  for (const group of parseQuery(words).groups) {
    if (group.terms.every(({ asked, isNegated }) => asked.by === 'text' && !isNegated)) texts.push(group);
    else if (!readField(group.terms, fields)) rest.push(group);
  }
  if (texts.length > 0) fields.content = printQuery(texts);
  return { fields, rest };
}

/** Returns false if no field fits the term, or if the field already has another value. */
function readField([term, second]: Terms, fields: PanelFields): boolean {
  if (!term || second) return false;
  const { asked, isNegated } = term;
  const set = <N extends keyof PanelFields>(name: N, value: PanelFields[N]) => {
    if (fields[name] !== undefined) return fields[name] === value;
    fields[name] = value;
    return true;
  };
  if (isNegated) return asked.by === 'has' && asked.what === 'media' && set('media', 'none');
  switch (asked.by) {
    case 'from':
      return set('author', asked.handle);
    case 'since':
    case 'until':
      return set(asked.by, asked.day);
    case 'category':
      return set('category', asked.category);
    case 'lang':
      return set('language', asked.tag);
    case 'platform':
      return set('platform', asked.platform);
    case 'has': {
      const { what } = asked;
      if (what === 'media') return set('media', 'any');
      return (what === 'image' || what === 'video') && set('media', what);
    }
    case 'is':
      return set('show', asked.what);
    case 'reactions':
      return asked.than === '>' && set('reactions', asked.count + 1);
    default:
      return false;
  }
}

/** The words that express the panel's fields and the rest. */
export function writePanel({ content, ...fields }: PanelFields, rest: Question = []): string {
  return printQuery([...writeFields(fields), ...parseQuery(content ?? '').groups, ...rest]);
}
