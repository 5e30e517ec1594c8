/** What the bar and the menu lead to. */
export const PLACES = [
  { href: '/', label: 'Archive' },
  { href: '/dashboard', label: 'Dashboard' },
] as const;
