import { PLATFORM_NAMES, type Post, UNCATEGORIZED } from '@archive/contracts';
import { formatDay } from '../../lib/format.ts';
import { formatMoment } from '../../lib/format-moment.ts';
import { safeLink } from '../../lib/safe-links.ts';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { CheckIcon } from '../../ui/icons.tsx';
import { OneLine } from '../../ui/one-line.tsx';
import { PlatformMark } from '../../ui/platform-mark.tsx';
import { writingProps } from '../../ui/post-text.tsx';
import { metadataEntries } from './metadata-entries.ts';
import styles from './origin.module.css';
import { keptMedia, languageName, sourceWords } from './origin-words.ts';

/** When a post was saved, and at whose request. */
export function SavedLine({ post: { savedAt, savedBy } }: { post: Post }) {
  const { handle, url } = savedBy;
  const asked = safeLink(url);
  const who = <bdi>@{handle}</bdi>;
  return (
    <>
      Saved on <time dateTime={savedAt}>{formatDay(savedAt)}</time>
      {handle !== undefined && (
        <>
          {' '}
          at the request of{' '}
          {asked === null ? (
            <b>{who}</b>
          ) : (
            <a href={asked} target="_blank" rel="noopener noreferrer" className="text-link">
              {who}
              <span className="visually-hidden">, their post in a new tab</span>
            </a>
          )}
        </>
      )}
    </>
  );
}

/** The facts about a post besides its text. */
export function OriginFacts({ post }: { post: Post }) {
  const { platform, source, language, media, capture } = post;
  const idName = platform === 'bluesky' ? 'Post' : 'Tweet';
  const kept = keptMedia(media);
  return (
    <Facts>
      {source.state !== 'unknown' && (
        <Fact term="Source">
          <span className={styles['state']} data-state={source.state}>
            {sourceWords(source)}
          </span>
        </Fact>
      )}
      {capture.signed && (
        <Fact term="Signature">
          <span className={styles['signed']}>
            <CheckIcon size={14} />
            Signed by its author
          </span>
        </Fact>
      )}
      {kept !== null && <Fact term={media.every(({ type }) => type === 'image') ? 'Pictures' : 'Media'}>{kept}</Fact>}
      {platform !== 'other' && (
        <Fact term="From">
          <span className={styles['from']}>
            <PlatformMark platform={platform} />
            <span aria-hidden="true">{PLATFORM_NAMES[platform]}</span>
          </span>
        </Fact>
      )}
      <Fact term="Category">{post.category === null ? UNCATEGORIZED : <CategoryBead category={post.category} />}</Fact>
      {language !== null && <Fact term="Language">{languageName(language)}</Fact>}
      <Fact term={`${idName} ID`}>
        <span className={styles['id']}>
          <OneLine text={post.id} />
          <CopyButton text={post.id} label={`Copy ${idName.toLowerCase()} ID`} />
        </span>
      </Fact>
      {metadataEntries(post.metadata, language === null ? [] : ['language', 'lang']).map(({ path, label, value }) => (
        <Fact key={path} term={<bdi>{label}</bdi>}>
          <bdi>{value}</bdi>
        </Fact>
      ))}
    </Facts>
  );
}

/** The earlier texts of an edited post. */
export function Versions({ versions }: { versions: Post['versions'] }) {
  if (versions.length === 0) return null;
  return (
    <details className={styles['versions']}>
      <summary>
        {versions.length === 1 ? 'Another version' : `${versions.length} other versions`} of its words, as its author
        edited it
      </summary>
      <ol>
        {versions.map(({ at, content }) => (
          <li key={at}>
            <time dateTime={at}>{formatMoment(at)}</time>
            <p {...writingProps(content)}>{content}</p>
          </li>
        ))}
      </ol>
    </details>
  );
}
