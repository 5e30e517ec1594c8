import { useEffect } from 'react';

/** Of a view that has feeds: its one address, and their query with its question mark. */
export interface ViewLinks {
  page: string;
  feeds: string;
}

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
