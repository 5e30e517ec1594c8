import { isServerDown } from '@archive/client';
import { PRODUCT_NAME, SAVE_STATES } from '@archive/contracts';
import { navigate } from 'wouter/use-browser-location';
import { Pagination } from '../../features/archive/pagination.tsx';
import { SaveList } from '../../features/saves/save-list.tsx';
import { type SavesQuery, takeBack, useSaves } from '../../features/saves/use-saves.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import segments from '../../ui/segments.module.css';
import { useWalletState } from '../../wallet/wallet-store.ts';
import { Maintenance } from '../maintenance.tsx';
import heads from './save-page.module.css';
import styles from './saves-page.module.css';

const FILTERS = [
  { state: undefined, label: 'All' },
  { state: 'open', label: 'Under way' },
  { state: 'answered', label: 'Kept' },
  { state: 'failed', label: 'Failed' },
] as const;

/** The list of save requests and their states. */
export function SavesPage({ search }: { search: string }) {
  usePageTitle(`Requests to save, ${PRODUCT_NAME}`);
  const { user } = useWalletState();
  const query = parseQuery(search);
  const { page, error, reload } = useSaves(query);
  if (isServerDown(error) && page === undefined) return <Maintenance onRetry={reload} />;

  return (
    <>
      <header className={`${heads['head']} ${styles['head']}`}>
        <div>
          <h1 data-page-title tabIndex={-1}>
            Requests to save
          </h1>
          <p>What was asked for, and what became of it. Each one ends within a day.</p>
        </div>
        <Link href="/save" className={buttons['primary']}>
          Save a post
        </Link>
      </header>
      <div className={styles['bar']}>
        <nav className={`${segments['segments']} ${styles['filters']}`} aria-label="State">
          {FILTERS.map(({ state, label }) => (
            <Link
              key={label}
              href={hrefOf({ ...query, state, page: 1 })}
              aria-current={query.state === state ? 'true' : undefined}
            >
              {label}
            </Link>
          ))}
        </nav>
        {user !== null && (
          <Link
            href={hrefOf({ ...query, mine: query.mine === undefined ? 'true' : undefined, page: 1 })}
            className={buttons['word']}
          >
            {query.mine === undefined ? 'Only mine' : 'Everybody’s'}
          </Link>
        )}
        <p className={styles['note']}>Updates by itself</p>
      </div>
      {content()}
    </>
  );

  function content() {
    if (query.mine !== undefined && user === null) {
      return <BlankPage boxed title="Your requests" text="Please connect your wallet to see them" />;
    }
    if (page === undefined) {
      if (error === undefined) {
        return (
          <p role="status" className={styles['waiting']}>
            Loading requests...
          </p>
        );
      }
      return <Notice title="The requests could not be loaded." detail="They are safe." onRetry={reload} />;
    }
    if (page.data.length === 0) return <BlankPage boxed title="No requests" text="No one has asked for a post yet." />;
    return (
      <>
        <SaveList saves={page.data} onTakeBack={query.mine && ((save) => void takeBack(save, reload))} />
        <Pagination
          page={page.pagination.page}
          pages={page.pagination.pages}
          hrefOf={(number) => hrefOf({ ...query, page: number })}
          onPage={(number) => navigate(hrefOf({ ...query, page: number }))}
        />
      </>
    );
  }
}

/** Reads the query string. Invalid values are ignored. */
function parseQuery(search: string): SavesQuery {
  const params = new URLSearchParams(search);
  const page = params.get('page') ?? '';
  return {
    page: /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1,
    state: (['open', ...SAVE_STATES] as const).find((state) => state === params.get('state')),
    mine: params.get('mine') === 'true' ? 'true' : undefined,
  };
}

function hrefOf({ page = 1, state, mine }: SavesQuery): string {
  const params = new URLSearchParams();
  if (state !== undefined) params.set('state', state);
  if (mine !== undefined) params.set('mine', mine);
  if (page > 1) params.set('page', String(page));
  const query = params.toString();
  return query === '' ? '/saves' : `/saves?${query}`;
}
