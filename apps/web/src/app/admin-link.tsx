import { isAdminPath } from '../lib/routes.ts';
import { Link } from '../ui/link.tsx';
import { useSessionAnswer } from '../wallet/session-answer.ts';

/** A link to the operators' pages, for operators only. The role is asked for once per session. */
export function AdminLink({ path, onClick }: { path: string; onClick?: () => void }) {
  const { data } = useSessionAnswer('me', ONCE);
  if (!data?.isOperator) return null;
  return (
    <Link href="/admin" aria-current={isAdminPath(path) ? 'page' : undefined} onClick={onClick}>
      Admin
    </Link>
  );
}

const ONCE = { revalidateOnFocus: false, revalidateIfStale: false, shouldRetryOnError: false };
