import { expect, jest, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ComponentType, startTransition, useLayoutEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { lazyPart } from './lazy-part.tsx';

test('a part that cannot be loaded says so, and can be tried again', async () => {
  const load = jest.fn<() => Promise<ComponentType<object>>>().mockRejectedValue(new Error('gone'));
  const Part = lazyPart(load, 'on its way');
  render(<Part />);
  expect(screen.getByText('on its way')).toBeInTheDocument();
  expect(await screen.findByText('This part of the page could not be loaded.')).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(2);

  load.mockResolvedValue(() => <p>here now</p>);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('here now')).toBeInTheDocument();
});

test.each([
  [<p key="away">You are away</p>, false, 'You are away'],
  [<p key="away">You are away</p>, true, 'This part of the page could not be loaded.'],
  [null, false, ''],
  [null, true, ''],
])('what stands in place of a part that is missing, %#', async (missing, isOnline, words) => {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
  try {
    const Part = lazyPart(() => Promise.reject(new Error('gone')), 'on its way', undefined, missing);
    const { container } = render(<Part />);
    await waitFor(() => expect(container).not.toHaveTextContent('on its way'));
    expect(container).toHaveTextContent(words === '' ? /^$/ : words);
  } finally {
    Reflect.deleteProperty(navigator, 'onLine');
  }
});

/** Prefetches in a layout effect, so that the code is there before passive effects run, in a task of their own. */
function Ahead({ fetch }: { fetch: () => Promise<void> }) {
  useLayoutEffect(() => void fetch(), [fetch]);
  return null;
}

test('a part that was fetched ahead comes even where it arrives just as it is drawn', async () => {
  const Part = lazyPart(async () => () => <p>here now</p>, 'on its way');
  const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean };
  environment.IS_REACT_ACT_ENVIRONMENT = false;
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  try {
    startTransition(() =>
      root.render(
        <>
          <Part />
          <Ahead fetch={Part.prefetch} />
        </>,
      ),
    );
    await waitFor(() => expect(place).toHaveTextContent('here now'));
  } finally {
    root.unmount();
    place.remove();
    environment.IS_REACT_ACT_ENVIRONMENT = true;
  }
});
