import { useEffect } from 'react';

/** Of a view that has feeds: its one address, and their query with its question mark. */
export interface ViewLinks {
  page: string;
  feeds: string;
}

const FEEDS = [
  ['atom', 'atom+xml'],
  ['rss', 'rss+xml'],
  ['json', 'feed+json'],
] as const;

/**
 * Names the page while it is drawn; what lies over a page gives its name back. The server has named the page that was
 * opened: nothing changes while the title is not known, nor where it is the same. Links to the view and to its feeds, in the
 * page's head as the server wrote it, follow.
 */
export function usePageTitle(title: string | undefined, links?: ViewLinks): void {
  useEffect(() => {
    if (title === undefined) return;
    const before = document.title;
    if (title !== before) document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);

  const { page, feeds } = links ?? {};
  useEffect(() => {
    if (page === undefined) return;
    setPage(page);
    for (const [format, type] of FEEDS) setFeed(format, type, `/feed.${format}${feeds}`);
    return () => {
      for (const [format, type] of FEEDS) setFeed(format, type, null);
    };
  }, [page, feeds]);
}

function findLink(view: string): HTMLLinkElement | null {
  return document.head.querySelector<HTMLLinkElement>(`link[data-view="${view}"]`);
}

/** A page that was opened at an address to which nobody comes back names none. */
function setPage(page: string): void {
  const link = findLink('page');
  const href = link && new URL(page, link.href).href;
  if (href && href !== link.href) link.href = href;
}

function setFeed(format: string, type: string, href: string | null): void {
  const link = findLink(format);
  if (href === null) link?.remove();
  else if (link) {
    if (link.getAttribute('href') !== href) link.setAttribute('href', href);
  } else {
    const made = document.createElement('link');
    made.rel = 'alternate';
    made.type = `application/${type}`;
    made.dataset['view'] = format;
    made.setAttribute('href', href);
    document.head.append(made);
  }
}
