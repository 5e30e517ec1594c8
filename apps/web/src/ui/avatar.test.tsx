import { ENDPOINTS } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { fireEvent, render } from '@testing-library/react';
import { SWRConfig } from 'swr';
import { Avatar } from './avatar.tsx';

function draw(address: string | null) {
  const cache = new Map([[ENDPOINTS.config.path, { data: { avatarHosts: ['pbs.twimg.com'] } }]]);
  return render(
    <SWRConfig value={{ provider: () => cache, revalidateOnMount: false }}>
      <Avatar name="Mara Lindqvist" handle="mara" address={address} size={40} />
    </SWRConfig>,
  ).container;
}

test('a picture from a listed host is shown without telling the host where', () => {
  const picture = draw('https://pbs.twimg.com/a.jpg').querySelector('img');
  expect(picture).toHaveAttribute('src', 'https://pbs.twimg.com/a.jpg');
  expect(picture).toHaveAttribute('referrerpolicy', 'no-referrer');
});

test.each(['https://elsewhere.example/a.jpg', 'http://pbs.twimg.com/a.jpg', null])('%j is a monogram', (address) => {
  const container = draw(address);
  expect(container.querySelector('img')).toBeNull();
  expect(container).toHaveTextContent('M');
});

test('a picture that cannot be loaded leaves the monogram, of the same size', () => {
  const container = draw('https://pbs.twimg.com/gone.jpg');
  fireEvent.error(container.querySelector('img') as HTMLImageElement);
  expect(container.querySelector('img')).toBeNull();
  expect(container.firstElementChild).toHaveAttribute('data-size', '40');
  expect(container).toHaveTextContent('M');
});
