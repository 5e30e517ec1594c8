import { PRODUCT_NAME } from '@archive/contracts';
import { usePageTitle } from '../../lib/use-page-title.ts';
import { BlankPage } from '../../ui/blank-page.tsx';
import buttons from '../../ui/button.module.css';
import { Link } from '../../ui/link.tsx';

interface NotFoundPageProps {
  title?: string;
  text?: string;
}

export function NotFoundPage({
  title = 'Page not found',
  text = 'Nothing is kept under this address.',
}: NotFoundPageProps) {
  usePageTitle(`${title}, ${PRODUCT_NAME}`);
  return (
    <BlankPage title={title} text={text} pale>
      <Link href="/" className={buttons['plain']}>
        Go to the archive
      </Link>
    </BlankPage>
  );
}
