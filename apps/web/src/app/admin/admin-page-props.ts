import type { AnswerOf } from '@archive/contracts';

export interface AdminPageProps {
  me: AnswerOf<'adminMe'>;
}
