import { COPY_CONFIRMATION_MS } from '@archive/contracts';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { CopyButton } from './copy-button.tsx';
import { closeAllToasts, showToast, ToastHost } from './toasts.tsx';
import { useUnfold } from './use-unfold.ts';

beforeEach(async () => {
  await import('./toast-note.tsx');
  jest.useFakeTimers();
});

afterEach(() => {
  act(() => closeAllToasts());
  jest.useRealTimers();
});

const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

async function say(...messages: Parameters<typeof showToast>[]) {
  act(() => {
    for (const message of messages) showToast(...message);
  });
  await pass(0);
}

const said = (role: 'status' | 'alert') =>
  screen.getAllByRole(role).map((host) => [...host.querySelectorAll('p')].map((note) => note.textContent));

test('a message goes after six seconds, and an error stays until it is closed', async () => {
  render(<ToastHost />);
  await say(['done', 'Saved.'], ['error', 'It failed.']);
  await pass(5_999);
  expect([said('status'), said('alert')]).toEqual([[['Saved.']], [['It failed.']]]);
  await pass(60_000);
  expect([said('status'), said('alert')]).toEqual([[[]], [['It failed.']]]);
  fireEvent.click(screen.getByRole('button', { name: 'Close this message' }));
  expect(said('alert')).toEqual([[]]);
});

test('the last three are shown, each sentence once', async () => {
  render(<ToastHost />);
  await say(['error', 'One.'], ['error', 'Two.'], ['error', 'One.']);
  expect(said('alert')).toEqual([['Two.', 'One.']]);
  await say(['error', 'Three.'], ['error', 'Four.']);
  expect(said('alert')).toEqual([['One.', 'Three.', 'Four.']]);
});

test('the innermost place alone shows them, and the page again once that is gone', async () => {
  const { rerender } = render([<ToastHost key="page" />]);
  rerender([<ToastHost key="page" />, <ToastHost key="dialog" isInDialog />]);
  await say(['error', 'It failed.']);
  expect(said('alert')).toEqual([[], ['It failed.']]);
  rerender([<ToastHost key="page" />]);
  await pass(0);
  expect(said('alert')).toEqual([['It failed.']]);
});

test('what was copied is said for two seconds; what could not be is told', async () => {
  let isRefused = false;
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: { writeText: async () => (isRefused ? Promise.reject(new Error('No.')) : undefined) },
  });
  render([<CopyButton key="copy" text="words" label="Copy" />, <ToastHost key="page" />]);
  const copied = screen.getByRole('button', { name: 'Copy' }).nextElementSibling;
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
  await pass(0);
  await pass(COPY_CONFIRMATION_MS - 1);
  expect(copied).toHaveTextContent('Copied');
  await pass(1);
  expect(copied).toBeEmptyDOMElement();
  isRefused = true;
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }));
  await pass(0);
  expect(copied).toBeEmptyDOMElement();
  expect(said('alert')).toEqual([['Copying failed. Select the text and copy it by hand.']]);
});

function Unfolding() {
  const { isOpen, close, root, button } = useUnfold();
  return (
    <div ref={root}>
      <button {...button}>Export</button>
      {isOpen && (
        <button type="button" onClick={close}>
          Entry
        </button>
      )}
    </div>
  );
}

test('Escape folds a panel up and gives its button the focus; a press beside it folds it up, one in it does not', () => {
  render([<Unfolding key="panel" />, <p key="beside">Beside</p>]);
  const button = screen.getByRole('button', { name: 'Export' });
  const unfold = () => {
    fireEvent.click(button);
    const entry = screen.getByRole('button', { name: 'Entry' });
    entry.focus();
    return entry;
  };
  fireEvent.pointerDown(unfold());
  fireEvent.keyDown(document.body, { key: 'a' });
  expect(button).toHaveAttribute('aria-expanded', 'true');
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(button).toHaveAttribute('aria-expanded', 'false');
  expect(button).toHaveFocus();
  unfold();
  fireEvent.pointerDown(screen.getByText('Beside'));
  expect(button).toHaveAttribute('aria-expanded', 'false');
});
