import { type ArchiveSort, type Post, type SortField, TABLE_TEXT_LENGTH } from '@archive/contracts';
import { Fragment } from 'react';
import { Ago } from '../../ui/ago.tsx';
import buttons from '../../ui/button.module.css';
import { CategoryBead } from '../../ui/category-bead.tsx';
import { ArrowDownIcon, ArrowUpIcon } from '../../ui/later-icons.tsx';
import { AuthorLine } from './author-line.tsx';
import { MediaCount } from './media/media-count.tsx';
import { OriginalLink } from './original-link.tsx';
import { PostOpener } from './post-opener.tsx';
import type { PostSlots, PostTerms } from './post-slots.ts';
import styles from './post-table.module.css';

const COLUMNS: readonly { field: SortField; label: string }[] = [
  { field: 'author', label: 'Author' },
  { field: 'content', label: 'Content' },
  { field: 'category', label: 'Category' },
  { field: 'timestamp', label: 'Date' },
];

interface PostTableProps extends Pick<PostSlots, 'launch'> {
  posts: readonly Post[];
  terms: PostTerms;
  sort: ArchiveSort;
  onSort: (field: SortField) => void;
}

export function PostTable({ posts, terms, sort, onSort, launch }: PostTableProps) {
  return (
    <table className={styles['table']}>
      <caption className="visually-hidden">Posts</caption>
      <thead>
        <tr>
          {COLUMNS.map(({ field, label }) => (
            <Fragment key={field}>
              {field === 'category' && (
                <th scope="col" data-column="media">
                  Media
                </th>
              )}
              <th scope="col" aria-sort={ariaSort(sort, field)} data-column={field}>
                <button type="button" onClick={() => onSort(field)}>
                  {label}
                  {sort.sortBy === field &&
                    (sort.sortOrder === 'asc' ? <ArrowUpIcon size={13} /> : <ArrowDownIcon size={13} />)}
                </button>
              </th>
            </Fragment>
          ))}
          <th scope="col" data-column="actions">
            Actions
          </th>
        </tr>
      </thead>
      <tbody>
        {posts.map((post) => (
          <tr key={post._id} data-featured={post.featured}>
            <td data-column="author">
              <AuthorLine post={post} terms={terms.author} size={28} showStar />
            </td>
            <td data-column="content">
              <PostOpener post={post} terms={terms.content} limit={TABLE_TEXT_LENGTH} className={styles['words']} />
            </td>
            <td data-column="media">
              <MediaCount media={post.media} />
            </td>
            <td data-column="category">
              <CategoryBead category={post.category} />
            </td>
            <td data-column="timestamp">
              <Ago at={post.timestamp} />
            </td>
            <td data-column="actions">
              <span className={styles['actions']}>
                {launch(post)}
                <OriginalLink address={post.url} author={post.author} className={buttons['word']} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ariaSort(sort: ArchiveSort, field: SortField) {
  if (sort.sortBy !== field) return undefined;
  return sort.sortOrder === 'asc' ? 'ascending' : 'descending';
}
