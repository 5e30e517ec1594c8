const NUGGET =
  'M37.4 3.2C50.3 3.6 60.6 13 61.3 25.7 62.1 40.6 50.4 60.9 31.3 60.8 15.2 60.7 3.6 50.7 2.8 36.9 1.9 20.5 18.6 2.6 37.4 3.2Z';
const SHADE =
  'M2.8 36.9C3.6 50.7 15.2 60.7 31.3 60.8 50.4 60.9 62.1 40.6 61.3 25.7 61.2 24 60.95 22.4 60.5 20.8 55.5 36.5 43 43.5 28.5 41.5 17.5 40 9.5 35.5 3.1 31.5 2.8 33.3 2.7 35.1 2.8 36.9Z';
const QUOTE =
  'M13.9.2c1.9.4 2.4 2.2 1.2 3.6-2.5 2.6-3.9 5-4.4 7.4 3.9.8 6.6 3.9 6.6 8 0 4.8-3.8 8.5-8.7 8.5C2.9 27.7-1.2 23-1.2 16.5-1.2 8.4 4.5 1.8 13.9.2Z';

/** The logo: two quotation marks; pale and dashed for an empty page. */
export function Mark({ size, pale = false }: { size: number; pale?: boolean }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <path fill={pale ? 'var(--amber-tint)' : '#f4b640'} d={NUGGET} />
      <path fill={pale ? 'var(--hover)' : '#d8851a'} d={SHADE} />
      <g
        fill={pale ? 'none' : '#381804'}
        {...(pale ? { stroke: 'var(--outline)', strokeWidth: 1.5, strokeDasharray: '2.6 1.8' } : {})}
      >
        <path transform="translate(14.8 18.6) scale(0.92)" d={QUOTE} />
        <path transform="translate(34.6 18.6) scale(0.92)" d={QUOTE} />
      </g>
    </svg>
  );
}
