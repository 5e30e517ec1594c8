import type { PostMedia } from '@archive/contracts';
import { CloseIcon } from '../../../ui/icons.tsx';
import { writingProps } from '../../../ui/post-text.tsx';
import { useUnfold } from '../../../ui/use-unfold.ts';
import styles from './alt-text.module.css';
import cells from './media-cell.module.css';
import { takeFocus } from './take-focus.ts';

/** One button per frame that opens a panel with the authors' descriptions of the pictures. */
export function AltText({ media }: { media: readonly PostMedia[] }) {
  const { isOpen, close, root, button } = useUnfold();
  // A single missing picture shows its description in its own place.
  const described = media.flatMap(({ alt, preview, url }, index) =>
    alt !== null && (preview !== null || url !== null || media.length > 1) ? { alt, number: index + 1 } : [],
  );
  if (described.length === 0) return null;

  return (
    <div ref={root}>
      <button
        {...button}
        className={`${cells['plate']} ${styles['plate']}`}
        aria-label={`ALT, what the ${media.length === 1 ? 'picture shows' : 'pictures show'}`}
      >
        ALT
      </button>
      {isOpen && (
        <div className={styles['panel']} id={button['aria-controls']}>
          <p className={styles['head']}>
            Described by its author
            <button
              type="button"
              aria-label="Close the description"
              onClick={() => {
                close();
                button.ref.current?.focus();
              }}
            >
              <CloseIcon size={12} />
            </button>
          </p>
          <section
            className={styles['texts']}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: long ones are scrolled by keys too.
            tabIndex={0}
            aria-label="Description"
            // The panel covers the button that had the focus.
            ref={takeFocus}
          >
            {described.map(({ alt, number }) => (
              <p key={number} {...writingProps(alt)}>
                {media.length > 1 && <b>{number}</b>}
                {alt}
              </p>
            ))}
          </section>
        </div>
      )}
    </div>
  );
}
