import { PRODUCT_NAME } from '@archive/contracts';
import { Link } from '../ui/link.tsx';
import styles from './footer.module.css';

export function Footer({ onKeys }: { onKeys: () => void }) {
  return (
    <footer className={styles['footer']}>
      <div>
        <p>Posts belong to the people who wrote them. {PRODUCT_NAME} only keeps them.</p>
        <nav aria-label="Footer">
          <button type="button" onClick={onKeys}>
            Keys
          </button>
          <a href="/feed.atom">Feed</a>
          <Link href="/programs">For programs</Link>
          <Link href="/privacy">Privacy</Link>
          <Link href="/explore">Explore</Link>
          <Link href="/">Archive</Link>
        </nav>
      </div>
    </footer>
  );
}
