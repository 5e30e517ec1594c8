import { formatRelative } from '../lib/format.ts';
import { formatMoment } from '../lib/format-moment.ts';

/** The age of an instant while it is recent, then its day; the tooltip has the full time. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatRelative(at, Date.now())}
    </time>
  );
}
