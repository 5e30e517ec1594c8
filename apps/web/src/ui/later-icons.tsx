/** Icons that no first page shows: they come with the parts that do. */
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
