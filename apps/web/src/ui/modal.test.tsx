import { expect, jest, test } from '@jest/globals';
import { createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
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
