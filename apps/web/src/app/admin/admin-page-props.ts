import type { AnswerOf } from '@archive/contracts';

/** What each of the operators' pages is given. */
export interface AdminPageProps {
  me: AnswerOf<'adminMe'>;
}
