import type { ReactionType } from '@archive/contracts';
import type { ReactNode } from 'react';

interface IconProps {
  size?: number;
  filled?: boolean;
}

/**
 * An icon on a 24 px grid, from path data or shapes. It always has a label beside or around it, so it is hidden from
 * screen readers.
 */
export function icon(draw: ReactNode, weight = 1.75) {
  // biome-ignore lint/correctness/noComponentHookFactories: called at the top of modules alone.
  return function Icon({ size = 16, filled = false }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill={filled ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth={weight}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        focusable="false"
      >
        {typeof draw === 'string' ? <path d={draw} /> : draw}
      </svg>
    );
  };
}

const HeartIcon = icon(
  'M12 20.2C6 15.9 3 12.6 3 9.1 3 6.3 5.1 4.2 7.8 4.2c1.7 0 3.3.9 4.2 2.4.9-1.5 2.5-2.4 4.2-2.4 2.7 0 4.8 2.1 4.8 4.9 0 3.5-3 6.8-9 11.1Z',
);
const ThumbUpIcon = icon(
  <>
    <path d="M7 10.5 11 3c1.6 0 2.8 1.2 2.8 2.8V9h4.9c1.4 0 2.5 1.3 2.2 2.7l-1.3 6.6c-.2 1-1.1 1.7-2.2 1.7H7Z" />
    <path d="M7 10.5H3.5V20H7" />
  </>,
);
const ThumbDownIcon = icon(
  <>
    <path d="m17 13.5-4 7.5c-1.6 0-2.8-1.2-2.8-2.8V15H5.3c-1.4 0-2.5-1.3-2.2-2.7l1.3-6.6C4.6 4.7 5.5 4 6.6 4H17Z" />
    <path d="M17 13.5h3.5V4H17" />
  </>,
);
export const SparkIcon = icon('M12 3c.9 5.3 3.2 8 9 9-5.8 1-8.1 3.7-9 9-.9-5.3-3.2-8-9-9 5.8-1 8.1-3.7 9-9Z');
export const StarIcon = icon('m12 3.2 2.7 5.7 6.2.8-4.5 4.3 1.1 6.2-5.5-3-5.5 3 1.1-6.2L3.1 9.7l6.2-.8Z');
export const ReplyIcon = icon('M9.5 6.5 4.5 11.5l5 5M4.5 11.5h9a6 6 0 0 1 6 6v1', 2);
export const LinkIcon = icon(
  'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.3-1.3',
);
export const OutIcon = icon('M7.5 16.5 17 7M9 7h8v8', 2);
export const SearchIcon = icon(
  <>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </>,
);
export const FiltersIcon = icon(
  <>
    <path d="M3 7h8M17 7h4M3 17h4M13 17h8" />
    <circle cx="14" cy="7" r="2.6" />
    <circle cx="10" cy="17" r="2.6" />
  </>,
);
export const GridIcon = icon(
  <>
    <rect x="4" y="4" width="6.5" height="6.5" rx="1.5" />
    <rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5" />
    <rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5" />
    <rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5" />
  </>,
);
export const RowsIcon = icon('M4 6h16M4 12h16M4 18h16');
export const DownloadIcon = icon('M12 4v11M7.5 11 12 15.5 16.5 11M4.5 20h15');
export const CloseIcon = icon('m5.5 5.5 13 13M18.5 5.5l-13 13');
export const CheckIcon = icon('m4.5 12.5 5 5 10-11', 2);
export const CopyIcon = icon(
  <>
    <rect x="8.5" y="8.5" width="11.5" height="11.5" rx="2.5" />
    <path d="M15.5 8.5V6.5A2.5 2.5 0 0 0 13 4H6.5A2.5 2.5 0 0 0 4 6.5V13a2.5 2.5 0 0 0 2.5 2.5h2" />
  </>,
);
export const ChevronLeftIcon = icon('m14.5 6-6 6 6 6');
export const ChevronRightIcon = icon('m9.5 6 6 6-6 6');
export const ChevronUpIcon = icon('M12 19V5M6.5 10.5 12 5l5.5 5.5', 2);
export const ChevronDownIcon = icon('m6 9.5 6 6 6-6', 2);
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4.3" />
    <path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" />
  </>,
);
export const MenuIcon = icon('M4 8.5h16M4 15.5h16');
export const WalletIcon = icon(
  <>
    <path d="M4 8.2C4 6.4 5.4 5 7.2 5H17v3" />
    <rect x="4" y="8" width="16.5" height="11.5" rx="2.5" />
    <path d="M16.2 13.7h.1" strokeWidth="2.6" />
  </>,
);
export const AlertIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7.5v5.2M12 16.3v.1" />
  </>,
);

export const REACTION_ICONS: Record<ReactionType, { label: string; Icon: ReturnType<typeof icon> }> = {
  heart: { label: 'Heart', Icon: HeartIcon },
  thumbsUp: { label: 'Thumbs up', Icon: ThumbUpIcon },
  thumbsDown: { label: 'Thumbs down', Icon: ThumbDownIcon },
};
