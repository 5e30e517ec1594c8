import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentType } from 'react';
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
