import { ENDPOINTS, type LaunchStatus } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { archivePost, tokenLaunch } from '../../testing/archive-page.ts';
import { resetWalletState, updateWalletState } from '../../wallet/wallet-store.ts';
import { useLaunchedTokens } from './launched-tokens.ts';

let status: LaunchStatus;
let asked: number;

beforeEach(() => {
  asked = 0;
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    if (String(input) === ENDPOINTS.userTokens.path) asked += 1;
    return Response.json([tokenLaunch(archivePost(1), { status })]);
  });
  updateWalletState({ token: 'the-token' });
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
  act(() => resetWalletState());
});

function Statuses() {
  return useLaunchedTokens().launches?.map((launch) => launch.status) ?? 'nothing yet';
}

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

test('what is under way is asked for until it has come to its end', async () => {
  status = 'sent';
  render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Statuses />
    </SWRConfig>,
  );
  await pass(100);
  expect(screen.getByText('sent')).toBeInTheDocument();
  status = 'confirmed';
  await pass(10_000);
  expect(screen.getByText('confirmed')).toBeInTheDocument();
  const before = asked;
  await pass(60_000);
  expect(asked).toBe(before);
});
