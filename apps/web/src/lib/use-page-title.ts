import { useEffect } from 'react';

/** Names the page while it is drawn; what lies over a page gives its name back. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const before = document.title;
    document.title = title;
    return () => {
      document.title = before;
    };
  }, [title]);
}
