import { ApiError } from '@archive/client';
import { PRODUCT_NAME } from '@archive/contracts';
import { OUTCOMES } from '../../features/reports/report-words.ts';
import { useAnswer } from '../../lib/api.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import styles from './report-page.module.css';

/** The state of a report, for anyone who has its secret address. */
export function ReportPage({ secret }: { secret: string }) {
  usePageTitle(`A report, ${PRODUCT_NAME}`);
  const { data, error, mutate } = useAnswer('getReport', { params: { secret } }, { shouldRetryOnError: false });
  if (data === undefined) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
      return <NotFoundPage title="No report here" text="This address holds no report. It may be mistyped." />;
    }
    if (error !== undefined) {
      return <Notice title="The report could not be loaded." detail="It is safe." onRetry={() => void mutate()} />;
    }
    return <p role="status">Loading the report...</p>;
  }

  const { id, state, createdAt, decidedAt, answer } = data;
  return (
    <article className={styles['card']}>
      <h1 className={styles['title']} data-page-title tabIndex={-1}>
        <small>Report</small>
        {id}
      </h1>
      <ol className={styles['steps']}>
        <li>
          <b>Received</b>
          <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
        </li>
        {state === 'open' ? (
          <li data-state="waiting">
            <b>Waiting for a person to look</b>
            <p>A person reads every report.</p>
          </li>
        ) : (
          <>
            {decidedAt !== null && (
              <li>
                <b>Looked at</b>
                <time dateTime={decidedAt}>{formatMoment(decidedAt)}</time>
              </li>
            )}
            <li data-state="end">
              <b>{OUTCOMES[state].title}</b>
              <p dir="auto">{answer ?? OUTCOMES[state].text}</p>
            </li>
          </>
        )}
      </ol>
      <p className={styles['note']}>Keep this address. It is the only way to see the answer.</p>
      <Link href="/" className={buttons['plain']}>
        All posts
      </Link>
    </article>
  );
}
