import type { Match } from '@archive/contracts';
import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { SWRConfig } from 'swr';
import { archivePage, archivePost } from '../../testing/archive-page.ts';
import { useArchives } from './use-archives.ts';
import { useSuggesting } from './use-suggesting.ts';

function List({ address }: { address: string }) {
  return <p>{useArchives(address).list === undefined ? 'waiting' : 'answered'}</p>;
}

/** The `match` values that are requested in turn, if only `found` matches a post, or if none does. */
async function waysAsked(query: string, found: Match | 'none'): Promise<(string | null)[]> {
  const asked: (string | null)[] = [];
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const match = new URL(String(input), 'http://localhost').searchParams.get('match');
    asked.push(match);
    return Response.json(archivePage(match === found ? [archivePost(1)] : []));
  });
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <List address={`/amber/archives?${query}`} />
    </SWRConfig>,
  );
  await screen.findByText('answered');
  return asked;
}

test.each<[string, Match | 'none', (string | null)[]]>([
  ['search=one', 'none', [null]],
  ['search=one+two', 'any', [null, 'words', 'any']],
  ['search=one+two+three', 'any', [null, 'words', 'most', 'any']],
  ['search=one+two+three', 'most', [null, 'words', 'most']],
  ['search=one+two+three', 'none', [null, 'words', 'most', 'any']],
  ['search=one+two&match=words', 'none', ['words']],
  ['q=one+two', 'none', [null]],
])('of %s, which %s finds, these are asked for: %j', async (query, found, expected) => {
  expect(await waysAsked(query, found)).toEqual(expected);
});

const WORDS = ['first', 'second', 'third'].map((words) => ({ words }));

function Box({ onTake }: { onTake: (words: string, goesOn: boolean) => void }) {
  const [text, setText] = useState('');
  const suggesting = useSuggesting(text, onTake);
  return (
    <>
      <input
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          suggesting.type();
          suggesting.offer(WORDS);
        }}
        onKeyDown={(event) => void suggesting.take(event)}
      />
      <p>{suggesting.isOpen ? `open ${suggesting.active}` : 'closed'}</p>
    </>
  );
}

test.each<[string, string, unknown[][]]>([
  ['a', 'open -1', []],
  ['a{ArrowDown}', 'open 0', []],
  ['a{ArrowUp}', 'open 2', []],
  ['a{ArrowDown}{ArrowUp}', 'open 2', []],
  ['a{ArrowUp}{ArrowDown}', 'open 0', []],
  ['a{ArrowDown}{Escape}', 'closed', []],
  ['a{ArrowDown}{ArrowDown}{Enter}', 'closed', [['second', false]]],
  ['a{Enter}', 'closed', []],
  // Without a chosen suggestion, Tab takes the first.
  ['a{Tab}', 'closed', [['first', true]]],
  ['a{ArrowDown}{ArrowDown}{Tab}', 'closed', [['second', true]]],
  ['a{Shift>}{Tab}{/Shift}', 'closed', []],
  ['a{Escape}{ArrowDown}', 'open -1', []],
])('keys %s among suggestions: %s, taken: %j', async (keys, shown, taken) => {
  const onTake = jest.fn();
  render(<Box onTake={onTake} />);
  await userEvent.type(screen.getByRole('textbox'), keys);
  expect(screen.getByRole('paragraph')).toHaveTextContent(shown);
  expect(onTake.mock.calls).toEqual(taken);
});
