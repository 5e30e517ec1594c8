import { type ArchivePage, type Match, wordsOf } from '@archive/contracts';
import useSWR from 'swr';
import { fetchJson } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import { InfoIcon } from '../../ui/later-icons.tsx';
import { misunderstood } from './active-filters.ts';
import styles from './search-notes.module.css';
import { listAddress, type ViewState } from './view-state.ts';

interface SearchNotesProps {
  view: ViewState;
  handle: string | undefined;
  list: ArchivePage | undefined;
  /** Whether the list is the answer to this search: not an older one, and no failure. */
  isAnswered: boolean;
  onAny: () => void;
}

/** Says what a search found instead of what was asked, and what of its words is no operator. */
export function SearchNotes({ view, handle, list, isAnswered, onAny }: SearchNotesProps) {
  const { texts, isCut } = misunderstood(view);
  return (
    <>
      {view.search !== undefined && (
        <Held {...{ view, handle, list, isAnswered, onAny }} words={wordsOf(view.search).length} />
      )}
      {texts.length > 0 && (
        <p className={styles['note']}>
          <InfoIcon size={16} />
          <span>
            {texts.map((text, index) => (
              <span key={text}>
                {index > 0 && ', '}
                <b>
                  “<bdi>{text}</bdi>”
                </b>
              </span>
            ))}{' '}
            {texts.length === 1 ? 'is not understood, so it is' : 'are not understood, so they are'} looked for as text.
          </span>
        </p>
      )}
      {isCut && (
        <p className={styles['note']}>
          <InfoIcon size={16} />
          <span>This is a very long search: only its first part is looked at.</span>
        </p>
      )}
    </>
  );
}

const HELD_OF_TWO: Record<Match, string> = {
  exact: 'both words as they stand',
  words: 'both words',
  most: 'either word',
  any: 'either word',
};
/** Of three words and more. */
const HELD: Record<Match, string> = {
  exact: 'its words as they stand',
  words: 'all of its words',
  most: 'all but one of its words',
  any: 'some of its words',
};

/** What the posts that were found hold of several words. Its place is kept while there is no answer, so that nothing moves when one comes. */
function Held({ view, handle, list, isAnswered, words, onAny }: SearchNotesProps & { words: number }) {
  const match = list?.match ?? 'exact';
  const total = list?.pagination.total ?? 0;
  const isBoth = words === 2;
  const isMore = match === 'words' || match === 'most';
  const any = useSWR<ArchivePage>(
    isAnswered && isMore ? `${listAddress({ ...view, match: 'any', page: 1 }, handle)}&limit=1` : null,
    fetchJson,
  ).data?.pagination.total;
  if ((isAnswered && total === 0) || (words < 2 && match === 'exact')) return null;
  return (
    <p
      className={`${styles['note']} ${styles['held']}`}
      role={match === 'exact' ? undefined : 'status'}
      data-hidden={!isAnswered}
    >
      <InfoIcon size={16} />
      <span>
        {view.match === undefined &&
          (match === 'most' || match === 'any') &&
          `No post holds ${isBoth ? 'both' : 'all'}. `}
        <b>
          {formatCount(total)} {total === 1 ? 'post' : 'posts'}
        </b>{' '}
        {total === 1 ? 'holds' : 'hold'} {(isBoth ? HELD_OF_TWO : HELD)[match]}.
      </span>
      {isMore && (
        <button type="button" className="word-link" onClick={onAny} data-hidden={any === undefined || any <= total}>
          Posts with {isBoth ? 'either word' : 'any of the words'}, {formatCount(any ?? 0)}
        </button>
      )}
    </p>
  );
}
