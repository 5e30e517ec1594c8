import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { LinkedText } from './linked-text.tsx';

const link = (start: number, end: number, url = 'https://a.example/') => ({ start, end, url, title: null });

test('links stand at their code points, and the text stays whole', () => {
  const { container } = render(<LinkedText text="👩‍🚀 see a.example now" links={[link(8, 17)]} />);
  expect(container.textContent).toBe('👩‍🚀 see a.example now');
  expect(screen.getByRole('link').textContent).toBe('a.example');
});

test.each([
  ['of no length', [link(4, 4)]],
  ['out of bounds', [link(4, 400)]],
  ['of a script', [link(4, 6, 'javascript:alert(1)')]],
])('a link %s is none', (_, links) => {
  const { container } = render(<LinkedText text="some words" links={links} />);
  expect(container.textContent).toBe('some words');
  expect(screen.queryByRole('link')).toBeNull();
});

test('of two over each other the first counts', () => {
  const { container } = render(<LinkedText text="some words" links={[link(0, 6), link(5, 10)]} />);
  expect(container.textContent).toBe('some words');
  expect(screen.getAllByRole('link').map((shown) => shown.textContent)).toEqual(['some w']);
});

test('a link that X has shortened says where it leads', () => {
  const short = 'https://t.co/ZjWoluMjXJ';
  const leads = (url: string) => {
    const { container } = render(<LinkedText text={`read ${short}`} links={[link(5, 28, url)]} />);
    return container.textContent;
  };
  expect(leads('https://www.example.com/walls/')).toBe('read example.com/walls');
  expect(leads(`https://example.com/${'w'.repeat(40)}`)).toBe(`read example.com/${'w'.repeat(28)}…`);
});
