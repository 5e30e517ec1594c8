import type { PostMedia } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { archivePost } from '../../../testing/archive-page.ts';
import { PictureViewer } from './picture-viewer.tsx';

function media(name: string, over: Partial<PostMedia> = {}): PostMedia {
  return {
    type: 'image',
    url: `/media/${name}`,
    preview: `/media/${name}-preview`,
    sha256: null,
    width: 4,
    height: 3,
    alt: name,
    durationMs: null,
    thumbhash: null,
    missing: false,
    ...over,
  };
}

// Media without a view of their own are not among the pictures of the viewer.
const post = archivePost(1, {
  media: [
    media('video', { type: 'video' }),
    media('first'),
    media('gone', { url: null }),
    media('second'),
    media('third'),
  ],
});

function Page() {
  const [first, setFirst] = useState<number | null>(null);
  return (
    <>
      {[1, 3].map((at) => (
        <button key={at} type="button" onClick={() => setFirst(at)}>
          Open {at}
        </button>
      ))}
      {first !== null && <PictureViewer post={post} first={first} onClose={() => setFirst(null)} />}
    </>
  );
}

const shown = () => [
  screen.getByRole('heading').textContent?.match(/^Picture \d of \d/)?.[0],
  screen
    .getAllByRole('img')
    .find((img) => img.getAttribute('width') === '4')
    ?.getAttribute('src'),
];

test('the pressed picture is shown, arrows lead to the others as far as there are any', async () => {
  const user = userEvent.setup();
  render(<Page />);
  await user.click(screen.getByRole('button', { name: 'Open 3' }));
  expect(shown()).toEqual(['Picture 2 of 3', '/media/second']);
  expect(screen.getByRole('heading')).toHaveFocus();
  for (const [key, at, name] of [
    ['ArrowRight', 3, 'third'],
    ['ArrowRight', 3, 'third'],
    ['ArrowLeft', 2, 'second'],
    ['ArrowLeft', 1, 'first'],
    ['ArrowLeft', 1, 'first'],
  ] as const) {
    await user.keyboard(`{${key}}`);
    expect(shown()).toEqual([`Picture ${at} of 3`, `/media/${name}`]);
  }
  await user.click(screen.getByRole('button', { name: 'Next picture' }));
  expect(shown()).toEqual(['Picture 2 of 3', '/media/second']);
  await user.click(screen.getByRole('button', { name: 'Previous picture' }));
  await user.click(screen.getByRole('button', { name: 'Picture 3' }));
  expect(shown()).toEqual(['Picture 3 of 3', '/media/third']);
  expect(screen.getByRole('link', { name: /^Original size/ })).toHaveAttribute('href', '/media/third');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open 3' })).toHaveFocus());
});
