import { useEffect } from 'react';

/** The canonical address of a view, and the query string of its feeds with its question mark. */
export interface ViewLinks {
  page: string;
  feeds: string;
}

/**
 * Sets the document's title while the component is mounted; a post over a page restores the page's title. The server
 * has set the title of the opened page, so an unknown or equal title changes nothing. Also updates the links to the
 * view and its feeds in the head.
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
    let isOver = false;
    let takeBack = () => {};
    import('./view-links.ts').then(
      ({ setLinks }) => {
        if (!isOver) takeBack = setLinks(page, feeds);
      },
      () => {},
    );
    return () => {
      isOver = true;
      takeBack();
    };
  }, [page, feeds]);
}
