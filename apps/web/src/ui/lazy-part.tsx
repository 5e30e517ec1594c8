import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { loadChunk } from '../lib/load-chunk.ts';
import { Notice } from './notice.tsx';

const AT_ONCE = Promise.resolve();

/**
 * A component whose code loads when it is first rendered, and not before `when`. If loading fails, a sentence and a
 * retry button are shown. With `missing: null` nothing is shown; any other `missing` is shown while the browser is
 * offline. React's own lazy() would cache the failure for good.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
  when = () => AT_ONCE,
  missing?: ReactNode,
) {
  let loaded: ComponentType<Props> | undefined;

  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of modules, like React's lazy().
  function LazyPart(props: Props) {
    const [, redraw] = useState(0);
    const [failed, setFailed] = useState(false);

    const Part = loaded;
    const isDrawn = Part !== undefined;

    useEffect(() => {
      if (isDrawn || failed) return;
      when()
        // A prefetch may have loaded it meanwhile.
        .then(() => loaded ?? loadChunk(load))
        .then(
          (part) => {
            loaded = part;
            redraw((count) => count + 1);
          },
          () => setFailed(true),
        );
    }, [isDrawn, failed]);

    useEffect(() => {
      if (!failed) return;
      const retry = () => setFailed(false);
      window.addEventListener('online', retry);
      return () => window.removeEventListener('online', retry);
    }, [failed]);

    if (Part !== undefined) return <Part {...props} />;
    if (!failed) return waiting;
    if (missing === null || (missing !== undefined && !navigator.onLine)) return missing;
    return (
      <div className="part-missing">
        <Notice
          title={navigator.onLine ? 'This part of the page could not be loaded.' : 'You are offline.'}
          detail={
            navigator.onLine
              ? 'Check your connection. Nothing was lost.'
              : 'This part of the page was not opened before, so it is not kept here.'
          }
          onRetry={() => setFailed(false)}
        />
      </div>
    );
  }

  /** Loads the code early, for example when the pointer nears its button. The part then renders at once. */
  LazyPart.prefetch = async () => {
    loaded ??= await load().catch(() => undefined);
  };
  return LazyPart;
}
