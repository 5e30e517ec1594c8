import type { AnswerOf } from '@archive/contracts';
import { type FormEvent, useState } from 'react';
import { authorHref } from '../../lib/routes.ts';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import { type Act, RemovalPreview, useActs } from './act-dialog.tsx';
import bars from './admin-bar.module.css';
import heads from './admin-head.module.css';
import { AdminHead } from './admin-head.tsx';
import posts from './posts-page.module.css';
import { failureOf, useAdminCall } from './use-admin-call.ts';
import { REMOVED, useRemove } from './use-remove.ts';

interface Found {
  author: string;
  preview: AnswerOf<'previewRemoval'>;
}

/** Shows all posts of an author to an operator, and removes them. */
export function AuthorsPage() {
  const call = useAdminCall();
  const remove = useRemove();
  const [found, setFound] = useState<Found | null>(null);
  const [said, setSaid] = useState('');

  async function find(author: string) {
    setSaid('Counting...');
    try {
      setFound({ author, preview: await call('previewRemoval', { body: { selection: { author } } }) });
      setSaid('');
    } catch (error) {
      setFound(null);
      setSaid(failureOf(error));
    }
  }
  const { ask, dialog } = useActs(() => found && void find(found.author));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const words = String(new FormData(event.currentTarget).get('author') ?? '').trim();
    if (words !== '') void find(words.replace(/^@/, ''));
  }

  const removeAll = (author: string): Act => ({
    title: `Remove all of @${author}?`,
    text: REMOVED,
    label: 'Remove for good',
    isFinal: true,
    takes: { author },
    run: ({ reason, count }) => remove({ selection: { author }, isRefused: true, count, reason }),
  });

  return (
    <>
      <AdminHead title="Authors" />
      <form className={bars['bar']} onSubmit={submit}>
        <input
          name="author"
          type="search"
          aria-label="Find an author"
          placeholder="A handle, or the platform’s id of an author"
          required
        />
        <button type="submit" className={buttons['primary']}>
          Find
        </button>
      </form>
      <p role="status">{said}</p>
      {found !== null && (
        <section className={posts['post']} aria-label="The author">
          <h2>
            <bdi>@{found.author}</bdi>
          </h2>
          <RemovalPreview preview={found.preview} />
          <div className={posts['acts']}>
            <Link href={authorHref(found.author)} className={buttons['plain']}>
              Page of the author
            </Link>
            {found.preview.count > 0 && (
              <button type="button" className={buttons['danger']} onClick={() => ask(removeAll(found.author))}>
                Remove all...
              </button>
            )}
          </div>
        </section>
      )}
      <p className={heads['note']}>Hidden posts are counted too. What comes later is not refused by this.</p>
      {dialog}
    </>
  );
}
