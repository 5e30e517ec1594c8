import { act } from '@testing-library/react';

/** Waits for many turns of the event loop, so that pending work ends. For tests that something does not happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await act(() => new Promise((resolve) => setTimeout(resolve)));
}
