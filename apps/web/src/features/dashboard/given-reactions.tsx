import { type GivenReaction, TABLE_TEXT_LENGTH } from '@archive/contracts';
import { formatRecentDay } from '../../lib/format-moment.ts';
import { ChevronRightIcon, REACTION_ICONS } from '../../ui/icons.tsx';
import rows from '../../ui/panel.module.css';
import { Panel, useShortList } from '../../ui/panel.tsx';
import { PostLink } from '../../ui/post-link.tsx';
import { PostText } from '../../ui/post-text.tsx';

interface GivenReactionsProps {
  given: readonly GivenReaction[] | undefined;
  hasFailed: boolean;
}

export function GivenReactions({ given, hasFailed }: GivenReactionsProps) {
  const { shown, list, more } = useShortList(given);
  const now = Date.now();
  return (
    <Panel title="Reactions given" note={note(shown.length, given?.length ?? 0)}>
      {given === undefined && (
        <p role="status" className={rows['empty']}>
          {hasFailed ? 'Your reactions could not be loaded. They are safe.' : 'Loading reactions...'}
        </p>
      )}
      {given?.length === 0 && <p className={rows['empty']}>No reactions yet.</p>}
      <ul ref={list}>
        {shown.map(({ archiveId, reactionType, createdAt, archive }) => {
          const { label, Icon } = REACTION_ICONS[reactionType];
          return (
            <li key={`${archiveId} ${reactionType}`}>
              <PostLink id={archiveId} className={rows['entry']}>
                <span className={rows['pebble']}>
                  <Icon size={14} filled={reactionType === 'heart'} />
                  <span className="visually-hidden">{label}: </span>
                </span>
                <span className={rows['words']}>
                  <span className={rows['text']} dir="auto">
                    <PostText text={archive.content} terms={[]} limit={TABLE_TEXT_LENGTH} />
                  </span>
                  <span className={rows['meta']}>
                    <bdi>{archive.author}</bdi> · {formatRecentDay(createdAt, now)}
                  </span>
                </span>
                <ChevronRightIcon size={14} />
              </PostLink>
            </li>
          );
        })}
      </ul>
      {more}
    </Panel>
  );
}

function note(shown: number, all: number): string | undefined {
  if (all === 0) return undefined;
  return shown < all ? `latest ${shown} of ${all}` : String(all);
}
