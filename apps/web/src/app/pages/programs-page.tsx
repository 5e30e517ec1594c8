import { PRODUCT_NAME, PROGRAM_EXAMPLES } from '@archive/contracts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './programs-page.module.css';
import texts from './text-page.module.css';

/** Ways for programs to use the archive, with an example of each, and a link to the API reference. */
export function ProgramsPage() {
  usePageTitle(`For programs, ${PRODUCT_NAME}`);
  const at = (text: string) => text.replaceAll('ORIGIN', window.location.origin);
  return (
    <>
      <header className={texts['head']}>
        <h1 data-page-title tabIndex={-1}>
          For programs
        </h1>
        <p>
          Everything here can be read by a program, without a key. Saving takes a key.{' '}
          <a href="/docs">Every call, with its parameters and answers</a>, is also there as data:{' '}
          <a href="/openapi.json">openapi.json</a>.
        </p>
      </header>
      {PROGRAM_EXAMPLES.map(({ title, text, commands }) => (
        <section key={title} className={texts['group']} aria-label={title}>
          <h2>{title}</h2>
          <p>{at(text)}</p>
          {commands.map((command) => (
            <div key={command} className={styles['command']}>
              <pre>
                <code>{at(command)}</code>
              </pre>
              <CopyButton text={at(command)} label={`Copy the command, ${title}`} />
            </div>
          ))}
        </section>
      ))}
    </>
  );
}
