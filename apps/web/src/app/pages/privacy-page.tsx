import { KEPT_DATA, KEPT_ELSEWHERE, type KeptData, PRODUCT_NAME, REMOVED_WORDS } from '@archive/contracts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { Link } from '../../ui/link.tsx';
import styles from './privacy-page.module.css';
import texts from './text-page.module.css';

/** What the archive stores, why, and for how long. Tests compare this table with the code. */
export function PrivacyPage() {
  usePageTitle(`What is kept, and for how long, ${PRODUCT_NAME}`);
  return (
    <>
      <header className={texts['head']}>
        <h1 data-page-title tabIndex={-1}>
          What is kept, and for how long
        </h1>
        <p>
          {PRODUCT_NAME} keeps public posts. Of you it keeps what you do here, and no more: there are no cookies,
          nothing follows your visits, and no scripts are anybody else’s. See, download or delete what is kept of you on
          your <Link href="/dashboard">dashboard</Link>.
        </p>
      </header>
      {KEPT_DATA.map(({ title, text, data }) => (
        <Group key={title} title={title} text={text} data={data} />
      ))}
      <Group title="Beside the database" text="Files of this archive, and of your browser." data={KEPT_ELSEWHERE} />
      <section className={texts['group']} aria-label="Words of a removed post">
        <h2>Words of a removed post</h2>
        <table className={styles['table']}>
          <thead className="wide-words">
            <tr>
              <th scope="col">Where</th>
              <th scope="col">How long</th>
            </tr>
          </thead>
          <tbody>
            {REMOVED_WORDS.map(({ where, howLong }) => (
              <tr key={where}>
                <td>{where}</td>
                <td>{howLong}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

interface GroupProps {
  title: string;
  text: string;
  data: readonly Pick<KeptData, 'what' | 'why' | 'howLong'>[];
}

function Group({ title, text, data }: GroupProps) {
  return (
    <section className={texts['group']} aria-label={title}>
      <h2>{title}</h2>
      <p>{text}</p>
      <table className={styles['table']}>
        <thead className="wide-words">
          <tr>
            <th scope="col">What</th>
            <th scope="col">Why</th>
            <th scope="col">How long</th>
          </tr>
        </thead>
        <tbody>
          {data.map(({ what, why, howLong }) => (
            <tr key={what}>
              <td>{what}</td>
              <td>{why}</td>
              <td>{howLong}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
