const FEEDS = [
  ['atom', 'atom+xml'],
  ['rss', 'rss+xml'],
  ['json', 'feed+json'],
] as const;

/** Sets the canonical link and the feed links in the head. Returns a function that removes the feed links. */
export function setLinks(page: string, feeds = ''): () => void {
  setPage(page);
  for (const [format, type] of FEEDS) setFeed(format, type, `/feed.${format}${feeds}`);
  return () => {
    for (const [format, type] of FEEDS) setFeed(format, type, null);
  };
}

function findLink(view: string): HTMLLinkElement | null {
  return document.head.querySelector<HTMLLinkElement>(`link[data-view="${view}"]`);
}

/** Does nothing if the server wrote no canonical link, as on pages that are not to be linked. */
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
