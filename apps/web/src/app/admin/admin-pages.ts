import type { AnswerOf, Role } from '@archive/contracts';
import type { ComponentType } from 'react';
import type { AdminPageProps } from './admin-page-props.ts';
import { AuthorsPage } from './authors-page.tsx';
import { FeaturingPage } from './featuring-page.tsx';
import { KeysPage } from './keys-page.tsx';
import { LaunchesPage } from './launches-page.tsx';
import { LogPage } from './log-page.tsx';
import { PaymentsPage } from './payments-page.tsx';
import { PostsPage } from './posts-page.tsx';
import { ReportsPage } from './reports-page.tsx';
import { SavesPage } from './saves-page.tsx';
import { TodayPage } from './today-page.tsx';
import { WalletsPage } from './wallets-page.tsx';

interface AdminPageEntry {
  /** The path after `/admin/`. The first page is also `/admin` itself. */
  name: string;
  label: string;
  /** The role that a viewer needs. */
  role: Role;
  Part: ComponentType<AdminPageProps>;
  /** The number of items that wait there. */
  waiting?: (today: AnswerOf<'adminToday'>) => number;
}

/** The operators' pages, in the order of the navigation. */
export const ADMIN_PAGES: readonly AdminPageEntry[] = [
  { name: 'today', label: 'Today', role: 'moderator', Part: TodayPage },
  {
    name: 'reports',
    label: 'Reports',
    role: 'moderator',
    Part: ReportsPage,
    waiting: ({ reportsOpen }) => reportsOpen,
  },
  { name: 'posts', label: 'Posts', role: 'moderator', Part: PostsPage },
  { name: 'authors', label: 'Authors', role: 'admin', Part: AuthorsPage },
  { name: 'saves', label: 'Saves', role: 'moderator', Part: SavesPage },
  { name: 'payments', label: 'Payments', role: 'admin', Part: PaymentsPage },
  { name: 'launches', label: 'Launches', role: 'admin', Part: LaunchesPage },
  { name: 'featuring', label: 'Featuring', role: 'admin', Part: FeaturingPage },
  { name: 'keys', label: 'Keys', role: 'admin', Part: KeysPage },
  { name: 'wallets', label: 'Wallets', role: 'admin', Part: WalletsPage },
  { name: 'log', label: 'Log', role: 'admin', Part: LogPage },
];
