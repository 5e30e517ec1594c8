import { useCallback, useEffect, useRef, useState } from 'react';

/** One page of rows, and the cursor of the next page. */
export interface AdminRows<Row> {
  data: readonly Row[];
  next: string | null;
}

/** Loads rows page by page. A late answer to an earlier request is dropped. */
export function useAdminList<Row>(fetchPage: (after: string | null) => Promise<AdminRows<Row>>) {
  const [rows, setRows] = useState<AdminRows<Row> | null>(null);
  const [hasFailed, setHasFailed] = useState(false);
  const asked = useRef(0);

  const load = useCallback(
    async (after: string | null) => {
      const own = ++asked.current;
      try {
        const page = await fetchPage(after);
        if (own !== asked.current) return;
        setRows((old) => (after === null || !old ? page : { data: [...old.data, ...page.data], next: page.next }));
        setHasFailed(false);
      } catch {
        if (own === asked.current) setHasFailed(true);
      }
    },
    [fetchPage],
  );
  useEffect(() => {
    setRows(null);
    void load(null);
    return () => {
      asked.current++;
    };
  }, [load]);

  return { rows, hasFailed, reload: () => void load(null), more: () => void load(rows?.next ?? null) };
}
