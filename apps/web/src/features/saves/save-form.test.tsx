import { ENDPOINTS, type Save, type User } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { publicConfig, receivedSave } from '../../testing/archive-page.ts';
import { resetWalletState, updateWalletState } from '../../wallet/wallet-store.ts';
import { SaveForm } from './save-form.tsx';
import { useSaves } from './use-saves.ts';

let known: Save;
let isRefused: boolean;
let lists: string[];
let looks: number;

beforeEach(() => {
  jest.useFakeTimers();
  [known, isRefused, lists, looks] = [receivedSave, false, [], 0];
  globalThis.fetch = jest.fn<typeof fetch>(async (input, init) => {
    const path = String(input);
    if (path === ENDPOINTS.config.path) return Response.json(publicConfig);
    if (init?.method === 'POST') {
      if (isRefused)
        return Response.json({ status: 400, code: 'invalid_request', message: 'No post.' }, { status: 400 });
      return Response.json(known);
    }
    if (path === ENDPOINTS.getSave.path.replace(':save', 's')) {
      looks += 1;
      return Response.json(known);
    }
    lists.push(`${path} ${new Headers(init?.headers).get('Authorization')}`);
    return Response.json({ data: [known], pagination: { page: 1, limit: 50, total: 1, pages: 1 } });
  });
});

afterEach(() => {
  act(() => resetWalletState());
  jest.useRealTimers();
});

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

function List({ mine }: { mine?: 'true' }) {
  const { page } = useSaves({ mine });
  return <p>{page?.data.map(({ state }) => state).join() ?? 'none'}</p>;
}

async function open(isMine = false) {
  render(
    <SWRConfig value={{ provider: () => new Map(), dedupingInterval: 0, shouldRetryOnError: false }}>
      <SaveForm link={receivedSave.url} keptPost={(id) => <p>Kept as {id}</p>} />
      {isMine ? <List mine="true" /> : <List />}
    </SWRConfig>,
  );
  await pass(100);
}

const signIn = () => act(() => updateWalletState({ token: 'the-token', user: { _id: 'user' } as User }));

async function press() {
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await pass(100);
}

test('a request is followed to its end, and lists beside it are asked for with each step', async () => {
  signIn();
  await open();
  lists = [];
  await press();
  expect(lists).toHaveLength(1);
  known = { ...receivedSave, state: 'answered', archiveId: 'kept' };
  await pass(1_000);
  expect(screen.getByText('Kept as kept')).toBeInTheDocument();
  expect(screen.getByText('answered')).toBeInTheDocument();
  const before = looks;
  await pass(10_000);
  expect(looks).toBe(before);
});

test('a refusal takes the place of the request before it, and goes with the next one', async () => {
  signIn();
  await open();
  await press();
  expect(screen.getByRole('heading')).toHaveTextContent('Saving this post');
  isRefused = true;
  await press();
  expect(screen.getByRole('alert')).toHaveTextContent('No post.Nothing was saved.');
  expect(screen.queryByRole('heading')).not.toBeInTheDocument();
  isRefused = false;
  await press();
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

test.each([
  ['received', 2_000],
  ['answered', 15_000],
] as const)('a list of what is %s is asked for every %i ms', async (state, every) => {
  known = { ...receivedSave, state };
  await open();
  lists = [];
  await pass(every - 200);
  expect(lists).toHaveLength(0);
  await pass(200);
  expect(lists).toHaveLength(1);
});

test('own requests are asked for by the session alone; those of all without it', async () => {
  await open(true);
  expect(lists).toEqual([]);
  signIn();
  await pass(100);
  expect(lists).toEqual([`${ENDPOINTS.listSaves.path}?mine=true Bearer the-token`]);
  expect(screen.getByText('received')).toBeInTheDocument();
  act(() => resetWalletState());
  expect(screen.getByText('none')).toBeInTheDocument();
});
