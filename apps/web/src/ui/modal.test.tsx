import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
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
