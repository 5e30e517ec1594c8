/** Icons that no first screen uses. They load with the parts that use them. */
import { icon } from './icons.tsx';

export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 11.2v5M12 7.7v.1" />
  </>,
);
export const ClockIcon = icon(
  <>
    <circle cx="12" cy="12" r="9" />
    <path d="M12 7v5l3 2" />
  </>,
);
export const ShieldIcon = icon(
  <>
    <path d="M12 3.2 5 5.7v5.4c0 4.5 2.9 7.9 7 9.7 4.1-1.8 7-5.2 7-9.7V5.7Z" />
    <path d="m9 11.8 2.2 2.2 3.9-4" />
  </>,
);
export const LeaveIcon = icon(
  'M13.5 4.5H8A2.5 2.5 0 0 0 5.5 7v10A2.5 2.5 0 0 0 8 19.5h5.5M10.5 12H20M16.5 8.5 20 12l-3.5 3.5',
);
export const ArrowDownIcon = icon('M12 4v16M6.5 14.5 12 20l5.5-5.5', 2);
export const ArrowUpIcon = icon('M12 20V4M6.5 9.5 12 4l5.5 5.5', 2);
export const QuoteIcon = icon(
  'M10 6.5C6.5 8 5 10.6 5 14a3 3 0 1 0 3-3c.2-1.5 1-2.6 2.6-3.3ZM19 6.5C15.5 8 14 10.6 14 14a3 3 0 1 0 3-3c.2-1.5 1-2.6 2.6-3.3Z',
);
export const PlayIcon = icon('M8 5.2v13.6L19 12Z');
export const EyeOffIcon = icon(
  <>
    <path d="M3 12c2.2-4 5.2-6 9-6s6.8 2 9 6c-2.2 4-5.2 6-9 6s-6.8-2-9-6Z" />
    <circle cx="12" cy="12" r="2.8" />
    <path d="M4.5 4.5l15 15" />
  </>,
);
export const PictureIcon = icon(
  <>
    <rect x="4" y="4" width="16" height="16" rx="3" />
    <circle cx="9" cy="9.3" r="1.4" />
    <path d="m5 18 5-5 3 3 3-3 4 4" />
  </>,
);
export const NoPictureIcon = icon('M8 4h9a3 3 0 0 1 3 3v9M16 20H7a3 3 0 0 1-3-3V8M4.5 17.5 9 13l3 3M4 4l16 16');
export const VideoIcon = icon(
  <>
    <rect x="3" y="6" width="12.5" height="12" rx="3" />
    <path d="m15.5 11 5.5-3.5v9L15.5 13" />
  </>,
);
export const AtIcon = icon(
  <>
    <circle cx="12" cy="12" r="3.6" />
    <path d="M15.6 12v1.3a2.5 2.5 0 0 0 5 0V12a8.6 8.6 0 1 0-3.4 6.8" />
  </>,
);
export const BookmarkIcon = icon('M7 4h10a1 1 0 0 1 1 1v15l-6-4-6 4V5a1 1 0 0 1 1-1Z');
export const ShareIcon = icon('M12 15V4M8 7.5 12 3.5l4 4M5 12v6a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-6');
export const BellIcon = icon('M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 1.5h-15ZM10 20.5h4');
export const DiceIcon = icon(
  <>
    <rect x="4" y="4" width="16" height="16" rx="3.5" />
    <path d="M9 9v.1M15 9v.1M12 12v.1M9 15v.1M15 15v.1" strokeWidth="2.4" />
  </>,
);
export const FeedIcon = icon('M5 11a8 8 0 0 1 8 8M5 5a14 14 0 0 1 14 14M6 18v.1', 2);
export const PlusIcon = icon('M12 5v14M5 12h14', 2);
export const PencilIcon = icon('M4.5 19.5 6 14.5 15.5 5a2.1 2.1 0 0 1 3 3L9 17.5Z');
export const BinIcon = icon('M5 7h14M10 7V4.5h4V7M7 7l1 12.5h8L17 7M10.5 11v5M13.5 11v5');
export const SaveIcon = icon('M12 4v9M8.5 9.5 12 13l3.5-3.5M4.5 14v4a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-4');
export const FlagIcon = icon('M6 21V4.5M6 4.5h11l-2.2 4 2.2 4H6');
