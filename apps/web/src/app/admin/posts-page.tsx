import { ApiError } from '@archive/client';
import {
  type AdminPost,
  CATEGORY_MENU,
  type Category,
  HIDDEN_FOR,
  type HiddenFor,
  type Post,
} from '@archive/contracts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { AuthorLine } from '../../features/post/author-line.tsx';
import { formatCount } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import { writingProps } from '../../ui/post-text.tsx';
import { type Act, useActs } from './act-dialog.tsx';
import bars from './admin-bar.module.css';
import { AdminHead } from './admin-head.tsx';
import { StateWord } from './admin-list.tsx';
import type { AdminPageProps } from './admin-page-props.ts';
import styles from './posts-page.module.css';
import { STATE_NAMES } from './report-names.ts';
import { failureOf, useAdminCall } from './use-admin-call.ts';
import { REMOVED, useRemove } from './use-remove.ts';

const HIDDEN_WORDS: Record<HiddenFor, string> = { rules: 'Against the rules here', law: 'For legal reasons' };
const NO_CATEGORY = 'none';

/** This page looks posts up by id or link only. The archive's search finds posts by words. */
function NoSuchPost({ words }: { words: string }) {
  return (
    <>
      No post has this id or link.{' '}
      <Link href={`/?${new URLSearchParams({ search: words })}`} className="text-link">
        Search the archive for “<bdi>{words}</bdi>”
      </Link>
    </>
  );
}

/** One post by its id or link, also if it is hidden, with the acts that an operator may do. */
export function PostsPage({ me }: AdminPageProps) {
  const call = useAdminCall();
  const remove = useRemove();
  const [found, setFound] = useState<AdminPost | null>(null);
  const [asked, setAsked] = useState('');
  const [said, setSaid] = useState<ReactNode>('');

  async function find(id: string) {
    setSaid('Looking...');
    try {
      setFound(await call('getAdminPost', { params: { id } }));
      setAsked(id);
      setSaid('');
    } catch (error) {
      setFound(null);
      const isMissing = error instanceof ApiError && error.code === 'post_not_found';
      setSaid(isMissing ? <NoSuchPost words={id} /> : failureOf(error));
    }
  }
  const { ask, dialog } = useActs(() => void find(asked));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const words = String(new FormData(event.currentTarget).get('post') ?? '').trim();
    if (words !== '') void find(/\/post\/([0-9a-f]{24})/i.exec(words)?.[1] ?? words);
  }

  return (
    <>
      <AdminHead title="Posts" />
      <form className={bars['bar']} onSubmit={submit}>
        <input name="post" type="search" aria-label="Find a post" placeholder="Its id, or a link to it" required />
        <button type="submit" className={buttons['primary']}>
          Find
        </button>
      </form>
      <p role="status">{said}</p>
      {found !== null && one(found)}
      {dialog}
    </>
  );

  function one({ post, state, hiddenFor, author }: AdminPost) {
    if (post === null) {
      return <p className={styles['post']}>This post was removed for good: nothing of it is left.</p>;
    }
    return (
      <article className={styles['post']} aria-label="The post">
        <AuthorLine post={post} terms={[]} size={40} showDate />
        {post.content !== '' && (
          <p className={styles['words']} {...writingProps(post.content)}>
            {post.content}
          </p>
        )}
        <p className={styles['facts']}>
          <StateWord tone={state === 'shown' ? 'good' : 'bad'}>{STATE_NAMES[state]}</StateWord>
          {hiddenFor !== null && <span>{HIDDEN_WORDS[hiddenFor]}</span>}
          <span>Category {post.category ?? NO_CATEGORY}</span>
          {author !== null && (
            <span>
              Of its author: {formatCount(author.shown)} shown, {formatCount(author.hidden)} hidden
            </span>
          )}
          {state === 'shown' && <Link href={`/post/${post._id}`}>Its page</Link>}
        </p>
        <div className={styles['acts']}>
          {state === 'shown' && (
            <button type="button" className={buttons['plain']} onClick={() => ask(hide(post))}>
              Hide
            </button>
          )}
          {state === 'hidden' && (
            <button type="button" className={buttons['plain']} onClick={() => ask(unhide(post))}>
              Show again
            </button>
          )}
          {state === 'shown' && (
            <button type="button" className={buttons['plain']} onClick={() => ask(categorize(post))}>
              Category
            </button>
          )}
          {me.role === 'admin' && (
            <button type="button" className={buttons['danger']} onClick={() => ask(removeOne(post))}>
              Remove...
            </button>
          )}
        </div>
      </article>
    );
  }

  function hide(post: Post): Act {
    return {
      title: 'Hide this post?',
      text: 'It is nowhere listed, found or shown until it is shown again; then it comes back whole.',
      label: 'Hide',
      fields: (
        <label className="field">
          <span>Why, as its page says it</span>
          <select name="for" defaultValue="rules">
            {HIDDEN_FOR.map((one) => (
              <option key={one} value={one}>
                {HIDDEN_WORDS[one]}
              </option>
            ))}
          </select>
        </label>
      ),
      run: async ({ reason, value }) => {
        await call('hidePost', { params: { id: post._id }, body: { for: value('for') as HiddenFor, reason } });
        return 'Hidden.';
      },
    };
  }

  function unhide(post: Post): Act {
    return {
      title: 'Show this post again?',
      text: 'It comes back whole, wherever it stood.',
      label: 'Show again',
      run: async ({ reason }) => {
        await call('unhidePost', { params: { id: post._id }, body: { reason } });
        return 'Shown again.';
      },
    };
  }

  function categorize(post: Post): Act {
    return {
      title: 'Change its category?',
      text: 'Lists, counts and search have it under the new one at once.',
      label: 'Change',
      fields: (
        <label className="field">
          <span>Category</span>
          <select name="category" defaultValue={post.category ?? NO_CATEGORY}>
            {[...CATEGORY_MENU, NO_CATEGORY].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      ),
      run: async ({ reason, value }) => {
        const category = value('category') === NO_CATEGORY ? null : (value('category') as Category);
        await call('setCategory', { params: { id: post._id }, body: { category, reason } });
        return category === null ? 'It has no category now.' : `Its category is ${category} now.`;
      },
    };
  }

  function removeOne(post: Post): Act {
    const selection = { posts: [post._id] };
    return {
      title: 'Remove 1 post for good?',
      text: REMOVED,
      label: 'Remove for good',
      isFinal: true,
      takes: selection,
      run: ({ reason, count }) => remove({ selection, isRefused: true, count, reason }),
    };
  }
}
