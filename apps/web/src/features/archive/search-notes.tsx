import { type ArchivePage, type Match, PAGE_SIZE, wordsOf } from '@archive/contracts';
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
  /** Whether the list answers this search. False for an earlier list and after a failure. */
  isAnswered: boolean;
  onMatch: (match: Match) => void;
}

/** Says if the search was answered with a looser match, and which texts of it are not operators. */
export function SearchNotes({ view, handle, list, isAnswered, onMatch }: SearchNotesProps) {
  const { texts, isCut } = misunderstood(view);
  return (
    <>
      {view.search !== undefined && (
        <Held {...{ view, handle, list, isAnswered, onMatch }} words={wordsOf(view.search).length} />
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
/** Labels for searches of three or more words. */
const HELD: Record<Match, string> = {
  exact: 'its words as they stand',
  words: 'all of its words',
  most: 'all but one of its words',
  any: 'some of its words',
};

/**
 * Says which of the searched words the found posts contain. It keeps its height without an answer, so that nothing
 * moves when one arrives.
 */
function Held({ view, handle, list, isAnswered, words, onMatch }: SearchNotesProps & { words: number }) {
  const match = list?.match ?? 'exact';
  const total = list?.pagination.total ?? 0;
  const isBoth = words === 2;
  const wider = widerThan(match, view.match, total);
  const more = useSWR<ArchivePage>(
    isAnswered && wider ? `${listAddress({ ...view, match: wider, page: 1 }, handle)}&limit=1` : null,
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
      {wider && (
        <button
          type="button"
          className="word-link"
          onClick={() => onMatch(wider)}
          data-hidden={more === undefined || more <= total}
        >
          Posts with {(isBoth ? WIDER_OF_TWO : WIDER)[wider]}, {formatCount(more ?? 0)}
        </button>
      )}
    </p>
  );
}

const WIDER_OF_TWO = { words: 'both words', any: 'either word' };
const WIDER = { words: 'all of its words', any: 'any of the words' };

/**
 * The next looser match to offer. It is offered if one page holds all exact matches: the wanted post may contain the
 * words apart.
 */
function widerThan(match: Match, asked: Match | undefined, total: number): 'words' | 'any' | null {
  if (match === 'words' || match === 'most') return 'any';
  return match === 'exact' && asked === undefined && total <= PAGE_SIZE ? 'words' : null;
}
