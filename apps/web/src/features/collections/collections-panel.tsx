import type { Collection } from '@archive/contracts';
import { useState } from 'react';
import { collectionHref } from '../../lib/routes.ts';
import { BookmarkIcon, PlusIcon } from '../../ui/later-icons.tsx';
import { Link } from '../../ui/link.tsx';
import rows from '../../ui/panel.module.css';
import { Panel } from '../../ui/panel.tsx';
import { CollectionForm } from './collection-form.tsx';
import styles from './collections.module.css';
import { useOwnCollections } from './own-collections.ts';

/** The collections of the signed-in person. */
export function CollectionsPanel() {
  const { collections, error } = useOwnCollections();
  const [isMaking, setIsMaking] = useState(false);
  return (
    <Panel title="Collections" note={collections?.length ? String(collections.length) : undefined}>
      {collections === undefined && (
        <p role="status" className={rows['empty']}>
          {error === undefined ? 'Loading collections...' : 'Your collections could not be loaded. They are safe.'}
        </p>
      )}
      {/* A `div`: this is not a list of rows as in other panels. */}
      <div>
        <ul className={styles['tiles']}>
          {collections?.map((collection) => (
            <li key={collection._id}>
              <Tile collection={collection} />
            </li>
          ))}
          <li>
            <button type="button" className={styles['tile']} onClick={() => setIsMaking(true)}>
              <span className={styles['new']}>
                <PlusIcon size={18} />
              </span>
              <b>New collection</b>
              <span className={styles['note']}>name it, then add posts</span>
            </button>
          </li>
        </ul>
      </div>
      {isMaking && <CollectionForm onClose={() => setIsMaking(false)} />}
    </Panel>
  );
}

function Tile({ collection: { _id, name, posts, isPublic, cover } }: { collection: Collection }) {
  return (
    <Link href={collectionHref(_id)} className={styles['tile']}>
      <span className={styles['cover']} data-pictures={cover.length}>
        {cover.map((address) => (
          <img key={address} src={address} alt="" loading="lazy" />
        ))}
        {cover.length === 0 && <BookmarkIcon size={22} />}
      </span>
      <b>
        <bdi>{name}</bdi>
      </b>
      <span className={styles['note']}>
        {posts} {posts === 1 ? 'post' : 'posts'} · {isPublic ? 'public by link' : 'only you'}
      </span>
    </Link>
  );
}
