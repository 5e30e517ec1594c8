import { SAVES_PER_DAY } from '@archive/contracts';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';
import styles from './own-saves.module.css';
import { SaveMeter } from './save-meter.tsx';
import { shortAddress } from './save-words.ts';
import { takeBack, useSaves } from './use-saves.ts';

const SHOWN = 3;

/** The newest save requests of the signed-in wallet; hidden for a visitor. */
export function OwnSaves() {
  const { page, reload } = useSaves({ mine: 'true', limit: SHOWN });
  if (page === undefined || page.data.length === 0) return null;
  return (
    <section className="panel" aria-label="Your requests">
      <header className={styles['head']}>
        <h2>Your requests</h2>
        <Link href="/saves?mine=true" className="word-link">
          All requests
        </Link>
      </header>
      <p className={styles['note']}>Up to {SAVES_PER_DAY} a day</p>
      <ul>
        {page.data.map((save) => (
          <li key={save._id} className={styles['save']}>
            <span className={styles['address']}>{shortAddress(save.url, 40)}</span>
            <SaveMeter save={save} />
            {save.state === 'received' && (
              <button type="button" className={buttons['word']} onClick={() => void takeBack(save, reload)}>
                Take back
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
