import {
  CATEGORIES,
  CATEGORY_MENU,
  FILTER_TEXT_LENGTH,
  IS_VALUES,
  type IsValue,
  isLanguageTag,
  MEDIA_FILTERS,
  type MediaFilter,
  type PanelFields,
  PLATFORM_NAMES,
  PLATFORMS,
  primaryLanguage,
  QUERY_LENGTH,
  readPanel,
  writePanel,
} from '@archive/contracts';
import { type FormEvent, useId, useRef, useState } from 'react';
import { formatLanguage } from '../../lib/format.ts';
import buttons from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { AlertIcon } from '../../ui/icons.tsx';
import segments from '../../ui/segments.module.css';
import styles from './filter-panel.module.css';
import { setWords, type ViewState, wordsIn } from './view-state.ts';

/** Common languages of posts, which the panel always offers. */
const LANGUAGES =
  'ar bn cs da de el en es fa fi fil fr he hi hu id it ja ko ms nl no pl pt ro ru sv ta th tr uk ur vi zh'.split(' ');

const MEDIA_LABELS: Record<Exclude<MediaFilter, 'any'>, string> = { image: 'Pictures', video: 'Video', none: 'None' };
const SHOW_LABELS: Record<IsValue, string> = {
  featured: 'Featured',
  launched: 'Launched',
  deleted: 'Deleted at source',
};

interface FilterPanelProps {
  view: ViewState;
  onApply: (filters: Partial<ViewState>) => void;
  onReset: () => void;
}

/**
 * A form for the operators of the search box. It changes nothing until Apply, and it is mounted again when the words
 * change.
 */
export function FilterPanel({ view, onApply, onReset }: FilterPanelProps) {
  const [error, setError] = useState<string | null>(null);
  const since = useRef<HTMLInputElement>(null);
  const { fields, rest } = readPanel(wordsIn(view));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '').trim();
    const oneOf = <T extends string>(values: readonly T[], name: string) => values.find((one) => one === text(name));
    const author = text('author');
    const asked: PanelFields = {
      // Only `@name` becomes a `from:` operator; a display name or a part of a name cannot.
      author: author.startsWith('@') ? author.slice(1) : undefined,
      content: text('content') || undefined,
      since: text('since') || undefined,
      until: text('until') || undefined,
      category: oneOf(CATEGORIES, 'category'),
      media: oneOf(MEDIA_FILTERS, 'media'),
      platform: oneOf(PLATFORMS, 'platform'),
      language: isLanguageTag(text('language')) ? text('language') : undefined,
      show: oneOf(IS_VALUES, 'show'),
      reactions: Number(text('reactions')) || undefined,
    };
    if (asked.since !== undefined && asked.until !== undefined && asked.since > asked.until) {
      setError('The start date must not be after the end date.');
      since.current?.focus();
      return;
    }
    setError(null);
    onApply({ author: author.startsWith('@') ? undefined : author || undefined, ...setWords(writePanel(asked, rest)) });
  }

  const day = (name: 'since' | 'until', label: string) => (
    <label className={styles['field']} data-half>
      <span>{label}</span>
      <input
        ref={name === 'since' ? since : undefined}
        type="date"
        name={name}
        defaultValue={fields[name]}
        max="9999-12-31"
        {...(name === 'since' && error !== null ? { 'aria-invalid': true, 'aria-describedby': 'filter-error' } : {})}
      />
    </label>
  );

  return (
    <form className={styles['panel']} onSubmit={submit} noValidate aria-label="Filters">
      <div className={styles['fields']}>
        <label className={styles['field']}>
          <span>Author</span>
          <input
            name="author"
            defaultValue={fields.author === undefined ? view.author : `@${fields.author}`}
            placeholder="@handle, or part of a name"
            maxLength={FILTER_TEXT_LENGTH}
            autoComplete="off"
            dir="auto"
          />
        </label>
        <label className={styles['field']}>
          <span>Content</span>
          <input
            name="content"
            defaultValue={fields.content}
            placeholder="Words in the post"
            maxLength={QUERY_LENGTH}
            autoComplete="off"
            dir="auto"
          />
        </label>
        {day('since', 'From')}
        {day('until', 'To')}
        <Choice name="category" label="Category" all="All Categories" asked={fields.category}>
          {CATEGORY_MENU.map((category) => [category, category])}
        </Choice>
        <Segments name="media" label="Media" asked={fields.media}>
          {[['', 'Any'], ...(fields.media === 'any' ? [['any', 'All media']] : []), ...Object.entries(MEDIA_LABELS)]}
        </Segments>
        <Segments name="platform" label="Platform" asked={fields.platform}>
          {[
            ['', 'All'],
            ...Object.entries(PLATFORM_NAMES),
            ...(fields.platform === 'other' ? [['other', 'Elsewhere']] : []),
          ]}
        </Segments>
        <Choice name="language" label="Language" all="All languages" asked={fields.language} isHalf>
          {languageChoices(fields.language)}
        </Choice>
        <Choice name="show" label="Show" all="All posts" asked={fields.show} isHalf>
          {Object.entries(SHOW_LABELS)}
        </Choice>
        <label className={styles['field']}>
          <span>Reactions</span>
          <input
            type="number"
            name="reactions"
            min={1}
            max={999_999_999}
            inputMode="numeric"
            defaultValue={fields.reactions}
            placeholder="At least…"
          />
        </label>
      </div>
      <div className={styles['foot']}>
        {error === null ? (
          <p>Dates are whole days in UTC, both included. Filters and search words stay in step; change either.</p>
        ) : (
          <p id="filter-error" role="alert" className={styles['error']}>
            <AlertIcon />
            {error}
          </p>
        )}
        <Button look="ghost" label="Reset" onClick={onReset} />
        <button type="submit" className={buttons['primary']}>
          Apply filters
        </button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  name: string;
  label: string;
  asked: string | undefined;
  /** Values and their labels. */
  children: string[][];
}

function Choice({ name, label, all, asked, isHalf, children }: ChoiceProps & { all: string; isHalf?: boolean }) {
  return (
    <label className={styles['field']} {...(isHalf && { 'data-half': true })}>
      <span>{label}</span>
      <select name={name} defaultValue={asked ?? ''}>
        <option value="">{all}</option>
        {children.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Segments({ name, label, asked, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles['field']} role="radiogroup" aria-labelledby={id}>
      <span id={id}>{label}</span>
      <span className={`${segments['segments']} ${styles['segments']}`}>
        {children.map(([value, words]) => (
          <label key={value}>
            <input type="radio" name={name} value={value} defaultChecked={(asked ?? '') === value} />
            <span>{words}</span>
          </label>
        ))}
      </span>
    </div>
  );
}

/** The languages by name. The chosen one is always among them, with the tag of the address. */
function languageChoices(asked: string | undefined): [string, string][] {
  const others = asked === undefined ? LANGUAGES : LANGUAGES.filter((tag) => tag !== primaryLanguage(asked));
  return [...others, ...(asked === undefined ? [] : [asked])]
    .map((tag): [string, string] => [tag, formatLanguage(tag)])
    .sort(([, one], [, other]) => one.localeCompare(other, 'en'));
}
