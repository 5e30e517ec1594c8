import { expect, jest, test } from '@jest/globals';
import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { Modal } from './modal.tsx';

function Page({ isAsking, isOpened }: { isAsking: boolean; isOpened: boolean }) {
  return (
    <>
      <h1 data-page-title tabIndex={-1}>
        Page
      </h1>
      {isOpened && (
        <>
          <Modal title="Post" onClose={() => {}}>
            {null}
          </Modal>
          <Modal title="Sheet" onClose={() => {}}>
            <button key={String(isAsking)} type="button">
              Connect
            </button>
          </Modal>
        </>
      )}
      {isAsking && (
        <Modal title="Wallets" onClose={() => {}}>
          {null}
        </Modal>
      )}
    </>
  );
}

test('where the opener is gone, the focus goes to the dialog on top, and only then to the page', async () => {
  const { rerender } = render(<Page isOpened isAsking={false} />);
  screen.getByRole('button', { name: 'Connect' }).focus();
  rerender(<Page isOpened isAsking />);
  expect(screen.getByRole('heading', { name: 'Wallets' })).toHaveFocus();
  rerender(<Page isOpened isAsking={false} />);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Sheet' })).toHaveFocus());
  rerender(<Page isOpened={false} isAsking={false} />);
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Page' })).toHaveFocus());
});

test('a press beside it closes, and the second half of a double click does not', async () => {
  const onClose = jest.fn();
  render(
    <Modal title="Sheet" onClose={onClose}>
      <button type="button">Launch</button>
    </Modal>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Sheet' });
  press(screen.getByRole('button', { name: 'Launch' }), 1000);
  press(dialog, 1200);
  press(screen.getByRole('button', { name: 'Launch' }), 2000);
  expect(dialog).not.toHaveAttribute('data-closing');
  press(dialog, 3000);
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
});

function press(target: HTMLElement, timeStamp: number) {
  const event = createEvent.click(target);
  Object.defineProperty(event, 'timeStamp', { value: timeStamp });
  fireEvent(target, event);
}

function Opener({ isHeld, isReturned = false }: { isHeld: boolean; isReturned?: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isDone, setIsDone] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setIsOpen(true)}>
        Open
      </button>
      <a id="wanted" href="/">
        Wanted
      </a>
      {isOpen && (
        <Modal
          title="Sheet"
          onClose={() => setIsOpen(false)}
          isHeld={isHeld}
          isDone={isDone}
          {...(isReturned ? { returnTo: () => document.getElementById('wanted') } : {})}
        >
          <button type="button" onClick={() => setIsDone(true)}>
            Done
          </button>
        </Modal>
      )}
    </>
  );
}

/** Does what a browser does on Escape. Returns whether the page left the key to the browser. */
function pressEscape(): boolean {
  const dialog = screen.getByRole('dialog');
  const isLeft = fireEvent.keyDown(dialog, { key: 'Escape' });
  if (isLeft) fireEvent(dialog, new Event('cancel', { cancelable: true }));
  return isLeft;
}

const ways: [string, () => void][] = [
  ['its button', () => fireEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['Escape', pressEscape],
  ['a press beside it', () => press(screen.getByRole('dialog'), 3000)],
  ['what is done in it', () => fireEvent.click(screen.getByRole('button', { name: 'Done' }))],
];

test.each(ways)('closed by %s, it gives the focus back to what opened it', async (_what, close) => {
  render(<Opener isHeld={false} />);
  const opener = screen.getByRole('button', { name: 'Open' });
  opener.focus();
  fireEvent.click(opener);
  expect(screen.getByRole('heading', { name: 'Sheet' })).toHaveFocus();
  close();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(opener).toHaveFocus();
});

test.each(ways)('held, %s closes it only once it is held no longer', async (_what, close) => {
  const { rerender } = render(<Opener isHeld isReturned />);
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  close();
  expect(screen.getByRole('dialog')).not.toHaveAttribute('data-closing');
  expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled();
  rerender(<Opener isHeld={false} isReturned />);
  pressEscape();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(screen.getByRole('link', { name: 'Wanted' })).toHaveFocus();
});

test('held, Escape is taken: a browser that is asked twice would close it', async () => {
  const { rerender } = render(<Opener isHeld />);
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  expect(pressEscape()).toBe(false);
  rerender(<Opener isHeld={false} />);
  expect(pressEscape()).toBe(true);
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});
