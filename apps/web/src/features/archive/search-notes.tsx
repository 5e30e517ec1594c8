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
  onAny: () => void;
}

/** Says what a search found instead of what was asked, and what of its words is no operator. */
export function SearchNotes({ view, handle, list, onAny }: SearchNotesProps) {
  const { texts, isCut } = misunderstood(view);
  return (
    <>
      {view.search !== undefined && list !== undefined && list.match !== 'exact' && (
        <Nearest view={view} handle={handle} list={list} onAny={onAny} search={view.search} />
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

/** Of three words and more. */
const HELD: Record<Match, string> = {
  exact: 'its words as they stand',
  words: 'all of its words',
  most: 'all but one of its words',
  any: 'some of its words',
};

function Nearest({ view, handle, list, search, onAny }: SearchNotesProps & { list: ArchivePage; search: string }) {
  const isBoth = wordsOf(search).length === 2;
  const { total } = list.pagination;
  const isWords = list.match === 'words';
  const isMore = isWords || list.match === 'most';
  const any = useSWR<ArchivePage>(
    isMore ? `${listAddress({ ...view, match: 'any', page: 1 }, handle)}&limit=1` : null,
    fetchJson,
  ).data?.pagination.total;
  const posts = `${formatCount(total)} ${total === 1 ? 'post' : 'posts'}`;
  const held = isBoth && list.match !== 'words' ? 'either word' : isBoth ? 'both words' : HELD[list.match];
  return (
    <p className={styles['note']} role="status">
      <InfoIcon size={16} />
      <span>
        {view.match === undefined && (
          <>
            No post holds exactly{' '}
            <b>
              “<bdi>{search}</bdi>”
            </b>
            {isWords ? '. ' : isBoth ? ', or both words. ' : ', or all of its words. '}
          </>
        )}
        <b>{posts}</b> {total === 1 ? 'holds' : 'hold'} {held}.
      </span>
      {isMore && any !== undefined && any > total && (
        <button type="button" className="word-link" onClick={onAny}>
          Posts with {isBoth ? 'either word' : 'any of the words'}, {formatCount(any)}
        </button>
      )}
    </p>
  );
}
