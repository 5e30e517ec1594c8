import { formatRelative } from '../lib/format.ts';
import { formatMoment } from '../lib/format-moment.ts';

/** When something was said: how long ago while that is young, then its day; the whole of it on hover. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatRelative(at, Date.now())}
    </time>
  );
}
