import { ENDPOINTS, parseQuery, SEARCH_DEBOUNCE_MS, type Suggestions as Suggested } from '@archive/contracts';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import useSWR from 'swr';
import { fetchJson } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Highlighted } from '../../ui/post-text.tsx';
import styles from './suggestions.module.css';
import type { Suggesting, Suggestion } from './use-suggesting.ts';

const HELP: readonly [words: string, meaning: string][] = [
  ['"exact words"', 'just as written'],
  ['-word', 'without it'],
  ['a OR b', 'one of the two'],
  ['since:2026-02-01', 'from that day on'],
  ['has:image', 'also video, link, quote, thread'],
  ['lang:fr', 'in French'],
  ['is:featured', 'also launched, deleted'],
  ['reactions:>10', 'more than ten'],
  ['saved:<7d', 'saved in the last week'],
];

/** Suggests only words of the archive's vocabulary that consist of letters. */
const LETTERS = /^[\p{L}\p{M}]+$/u;

/** The server suggests nothing for shorter words. */
const LEAST_LETTERS = 3;

interface Row extends Suggestion {
  key: string;
  show: ReactNode;
}

/** Completions for the last word of the search box, and help on the operators. */
export function Suggestions({ text, suggesting }: { text: string; suggesting: Suggesting }) {
  const { from, word, before, isOperator } = useMemo(() => typedLast(text), [text]);
  const asked = useLater(from ? `from=${encodeURIComponent(from)}` : word ? `word=${encodeURIComponent(word)}` : '');
  const { data } = useSWR<Suggested>(asked && `${ENDPOINTS.suggest.path}?${asked}`, fetchJson, {
    keepPreviousData: true,
  });
  const rows = useMemo(() => rowsOf(data, { from, word, before }), [data, from, word, before]);

  const { offer } = suggesting;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when they change, whoever is told
  useEffect(() => offer(rows), [rows]);

  const showsHelp = text === '' || isOperator;
  if (rows.length === 0 && !showsHelp) return null;
  return (
    // Prevents the default, so that a press leaves the focus in the field.
    <div className={styles['popup']} onPointerDown={(event) => event.preventDefault()}>
      <p role="status" className="visually-hidden">
        {rows.length > 0 && `${rows.length} ${rows.length === 1 ? 'suggestion' : 'suggestions'}, by the arrow keys`}
      </p>
      {rows.length > 0 && (
        <>
          <p className={from === undefined ? 'visually-hidden' : styles['head']} id="suggestions-head">
            {from === undefined ? 'Words' : 'Authors'} that begin with “<bdi>{from ?? word}</bdi>”
          </p>
          <div
            role="listbox"
            id="suggestions"
            aria-labelledby="suggestions-head"
            className={from === undefined ? styles['words'] : undefined}
          >
            {rows.map((row, index) => (
              <div
                key={row.key}
                id={`suggestions-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={suggesting.active === index}
                className={styles['row']}
                // On move, not on enter: the page may scroll under a pointer that does not move.
                onPointerMove={() => suggesting.point(index)}
                onClick={() => suggesting.choose(row)}
                onKeyDown={() => {}}
              >
                {row.show}
              </div>
            ))}
          </div>
        </>
      )}
      {showsHelp && (
        <div className={styles['help']}>
          <p className={styles['head']}>You can also write</p>
          <dl>
            {HELP.map(([words, meaning]) => (
              <div key={words}>
                <dt>
                  <code>{words}</code>
                </dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
      {showsHelp && (
        <p className={styles['keys']} aria-hidden="true">
          <kbd>↓</kbd>
          <kbd>↑</kbd> choose <kbd>Tab</kbd> take <kbd>Esc</kbd> close
        </p>
      )}
    </div>
  );
}

interface Typed {
  from?: string | undefined;
  word?: string | undefined;
  /** The text of the box before the word. */
  before: string;
}

/** The last word, if the text ends with it. */
function typedLast(text: string): Typed & { isOperator: boolean } {
  const term = parseQuery(text).groups.at(-1)?.terms.at(-1);
  const start = term?.start ?? text.length;
  const last = term?.end === text.length ? text.slice(start) : '';
  const name = last.slice(0, last.indexOf(':') + 1);
  if (/^-?from:$/i.test(name)) {
    const handle = last.slice(name.length).replace(/^@/, '');
    return { ...(handle && { from: handle }), before: text.slice(0, start) + name, isOperator: true };
  }
  // Cards show an author as `@name`.
  if (/^@[\w.-]+$/.test(last))
    return { from: last.slice(1), before: `${text.slice(0, start)}from:`, isOperator: false };
  const isOperator = last.includes(':');
  if (term?.asked.by !== 'text' || term.asked.isQuoted || last === '' || isOperator)
    return { before: text, isOperator };
  const { text: word } = term.asked;
  return { ...(word.length >= LEAST_LETTERS && { word }), before: text.slice(0, -word.length), isOperator };
}

function rowsOf(data: Suggested | undefined, { from, word, before }: Typed): Row[] {
  if (from !== undefined) {
    return (data?.authors ?? [])
      .filter(({ username }) => username.toLowerCase().startsWith(from.toLowerCase()))
      .map(({ author, username, avatar, count }) => ({
        key: username,
        words: `${before}${username} `,
        show: (
          <>
            <Avatar name={author} handle={username} address={avatar} size={28} />
            <span className="one-line">
              <b>
                <bdi>{author}</bdi>
              </b>{' '}
              <span className={styles['handle']}>
                @<b>{username.slice(0, from.length)}</b>
                {username.slice(from.length)}
              </span>
            </span>
            <span className={styles['count']}>
              {formatCount(count)}
              <span className="visually-hidden"> posts</span>
            </span>
          </>
        ),
      }));
  }
  if (word === undefined) return [];
  const isPlain = (one: string) => LETTERS.test(one) || !LETTERS.test(word);
  return (data?.words ?? []).filter(isPlain).map((one) => ({
    key: one,
    words: `${before}${one} `,
    show: (
      <bdi className="one-line">
        <Highlighted text={one} terms={[word]} />
      </bdi>
    ),
  }));
}

/** The value after a pause in typing. */
function useLater(value: string): string {
  const [later, setLater] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), value === '' ? 0 : SEARCH_DEBOUNCE_MS / 2);
    return () => clearTimeout(timer);
  }, [value]);
  return value === '' ? '' : later;
}
