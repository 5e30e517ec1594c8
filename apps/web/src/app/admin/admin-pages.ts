import type { AnswerOf, Role } from '@archive/contracts';
import type { ComponentType } from 'react';
import { LogPage } from './log-page.tsx';
import { ReportsPage } from './reports-page.tsx';
import { TodayPage } from './today-page.tsx';

export interface AdminPageProps {
  me: AnswerOf<'adminMe'>;
}

interface AdminPageEntry {
  /** Behind `/admin/`; the first one is also `/admin` itself. */
  name: string;
  label: string;
  /** Who may see it. */
  role: Role;
  Part: ComponentType<AdminPageProps>;
  /** What waits there. */
  waiting?: (today: AnswerOf<'adminToday'>) => number;
}

/** The pages of operators, in their order. */
export const ADMIN_PAGES: readonly AdminPageEntry[] = [
  { name: 'today', label: 'Today', role: 'moderator', Part: TodayPage },
  {
    name: 'reports',
    label: 'Reports',
    role: 'moderator',
    Part: ReportsPage,
    waiting: ({ reportsOpen }) => reportsOpen,
  },
  { name: 'log', label: 'Log', role: 'admin', Part: LogPage },
];
