import { ENDPOINTS } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { refusal } from '../../testing/archive-page.ts';
import { closeAllToasts, showToast, ToastHost } from '../../ui/toasts.tsx';
import { resetWalletState, updateWalletState } from '../../wallet/wallet-store.ts';
import { type Act, useActs } from './act-dialog.tsx';

const left = { count: 3, aliases: 0, featured: 0, launched: 0, sample: [] };
const onDone = jest.fn();
const run = jest.fn<Act['run']>();
let previews: (() => unknown)[];

beforeEach(() => {
  onDone.mockReset();
  run.mockReset();
  previews = [];
  globalThis.fetch = jest.fn<typeof fetch>(async (input) => {
    const answer = String(input) === ENDPOINTS.previewRemoval.path ? await previews.shift()?.() : undefined;
    return answer === undefined ? refusal(429, 'rate_limited', 'Too often.') : Response.json(answer);
  });
  updateWalletState({ token: 'the-token' });
});

afterEach(() => {
  act(() => {
    closeAllToasts();
    resetWalletState();
  });
});

function Page({ act }: { act: Act }) {
  const { ask, dialog } = useActs(onDone);
  return (
    <>
      <ToastHost />
      <button type="button" onClick={() => ask(act)}>
        Ask
      </button>
      {dialog}
    </>
  );
}

const draw = (over: Partial<Act> = {}) =>
  render(<Page act={{ title: 'Remove it?', text: 'For good.', label: 'Remove', run, ...over }} />);

async function press() {
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Ask' }));
  return user;
}

async function ask(over: Partial<Act> = {}) {
  draw(over);
  return press();
}

const takes = { takes: { key: 'k' } };
const button = () => screen.getByRole('button', { name: 'Remove' });

test('an act that fails says why and can be done again; the dialog stays while it is under way', async () => {
  let fail: (error: Error) => void = () => {};
  run.mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)));
  run.mockResolvedValueOnce('It is removed.');
  const user = await ask();
  await user.type(screen.getByRole('textbox', { name: 'Reason, kept in the log' }), ' spam ');
  await user.click(button());
  expect(screen.getByRole('button', { name: 'Doing it...' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
  await act(async () => fail(new Error('It was decided meanwhile.')));
  expect(screen.getByText('It was decided meanwhile.')).toBeInTheDocument();
  expect(onDone).not.toHaveBeenCalled();
  await user.click(button());
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(await screen.findByText('It is removed.')).toBeInTheDocument();
  expect(onDone).toHaveBeenCalledTimes(1);
  expect(run.mock.calls.map(([{ reason }]) => reason)).toEqual(['spam', 'spam']);
});

test('posts are removed once they were counted, as many as were shown; after a failure they are counted once more', async () => {
  let count: (answer: unknown) => void = () => {};
  previews = [() => new Promise((resolve) => (count = resolve)), () => ({ ...left, count: 4 })];
  run.mockRejectedValueOnce(new Error('There are more by now.'));
  const user = await ask(takes);
  expect(button()).toBeDisabled();
  await act(async () => count(left));
  expect(await screen.findByText('3 posts')).toBeInTheDocument();
  await user.click(button());
  expect(run.mock.calls[0]?.[0].count).toBe(3);
  expect(await screen.findByText('4 posts')).toBeInTheDocument();
});

test.each([
  ['nothing is left', () => ({ ...left, count: 0 }), 'Nothing is left of it.'],
  ['they could not be counted', () => undefined, 'Too often.'],
])('no post is removed where %s', async (_what, preview, words) => {
  previews = [preview];
  await ask(takes);
  expect(await screen.findByText(words)).toBeInTheDocument();
  expect(button()).toBeDisabled();
});

test('what was said of other things does not stand in the dialog of an act', async () => {
  act(() => void showToast('error', 'Of another thing.'));
  draw();
  await screen.findByText('Of another thing.');
  await press();
  expect(screen.queryByText('Of another thing.')).not.toBeInTheDocument();
});
