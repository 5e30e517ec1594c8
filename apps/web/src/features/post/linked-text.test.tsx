import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { excerpt } from './excerpt.ts';
import { LinkedText } from './linked-text.tsx';
import { plainWords, textLinks } from './text-links.ts';

const link = (start: number, end: number, url = 'https://a.example/') => ({ start, end, url, title: null });
const found = (text: string) => textLinks(text, []).map(({ start, end, href }) => [text.slice(start, end), href]);

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

test('of two over each other the first counts, and words that do not name the host have it beside them', () => {
  const { container } = render(<LinkedText text="some words" links={[link(0, 6), link(5, 10)]} />);
  expect(container.textContent).toBe('some w (a.example)ords');
  expect(screen.getAllByRole('link').map((shown) => shown.textContent)).toEqual(['some w']);
});

test('a link that was shortened says where it leads', () => {
  const short = 'https://t.co/ZjWoluMjXJ';
  const leads = (url: string) => {
    const { container } = render(<LinkedText text={`read ${short}`} links={[link(5, 28, url)]} />);
    return container.textContent;
  };
  expect(leads('https://www.example.com/walls/')).toBe('read example.com/walls');
  expect(leads(`https://example.com/${'w'.repeat(40)}`)).toBe(`read example.com/${'w'.repeat(28)}…`);
});

test('addresses, handles and hashtags lead somewhere; what only looks like them does not', () => {
  expect(found('See https://a.example/b_(c), @ann.bsky.social and #Straße!')).toEqual([
    ['https://a.example/b_(c)', 'https://a.example/b_(c)'],
    ['@ann.bsky.social', '/author/ann.bsky.social'],
    ['#Straße', '/?search=%23Stra%C3%9Fe'],
  ]);
  expect(found('mail me@a.example, #1 of a#b, x/@y, javascript:alert(1) https://u:p@a.example')).toEqual([]);
});

test('a match is marked across a link and beside it, and nothing of the text is lost', () => {
  const { container } = render(<LinkedText text="ask @ann today" links={[]} terms={['k @an', 'toda']} />);
  expect([...container.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['k ', '@an', 'toda']);
  fc.assert(
    fc.property(fc.array(fc.constantFrom('@a', '#b', ' ', 'https://c.example/', '👩‍🚀', 'é', '.', '\n')), (parts) => {
      const text = parts.join('');
      const { container: drawn, unmount } = render(<LinkedText text={text} links={[]} terms={['é', 'c.e']} />);
      expect(drawn.textContent).toBe(text);
      unmount();
    }),
    { numRuns: 60 },
  );
});

test('what is shown of a text stands around the first match', () => {
  const shown = (text: string, terms: string[], limit = 30) => {
    const { from, to } = excerpt(text, terms, limit);
    return text.slice(from, to);
  };
  const text = `${'word '.repeat(40)}needle ${'after '.repeat(40)}`;
  expect(shown(text, [])).toBe('word word word word word word');
  expect(shown(text, ['word'])).toBe('word word word word word word');
  expect(shown(text, ['needle'])).toMatch(/^word (?:word )?needle after/);
  expect(shown(text, ['NÉEDLE'])).toContain('needle');
  expect(shown(`${text}end`, ['end'])).toMatch(/end$/);
  expect(shown(`${'👩‍🚀'.repeat(40)}x`, ['x'], 10)).toBe(`${'👩‍🚀'.repeat(9)}x`);
});

test('where nothing can be pressed, what a platform has shortened still tells where it leads', () => {
  const content = '👩‍🚀 read https://t.co/abc123 and https://b.example/page now';
  const links = [link(9, 28, 'https://www.a.example/essays/on-slow-ferries-and-what-they-are-for')];
  expect(plainWords({ content, links })).toBe(
    '👩‍🚀 read a.example/essays/on-slow-ferries-and-wha… and https://b.example/page now',
  );
  expect(plainWords({ content: 'plain', links: [] })).toBe('plain');
});
