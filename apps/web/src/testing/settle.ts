import { act } from '@testing-library/react';

/** Many turns, so that what is under way comes to its end: for what must not happen, where nothing comes after it. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn++) await act(() => new Promise((resolve) => setTimeout(resolve)));
}
