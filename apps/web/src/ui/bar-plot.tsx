import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import styles from './bar-plot.module.css';

/** One bar of a plot. */
export interface Bar {
  key: string;
  /** The full label, such as `May 2025`, for the table and the readout. */
  label: string;
  value: number;
  /** Whether the bar's time has not ended: it is drawn hollow. */
  isUnfinished?: boolean;
}

/** A label under the bar where a period begins. */
export interface Tick {
  at: number;
  label: string;
  /** Whether the label ends at the end of the plot. */
  isLast?: boolean;
}

/** The positions of bars in whole pixels. */
export interface BarScale {
  width: number;
  count: number;
  /** The left edge of a bar's slot. For the index after the last bar, the end of the plot. */
  left(at: number): number;
  barWidth(at: number): number;
  /** The bar whose slot contains `x`; the first or the last bar beyond the ends. */
  at(x: number): number;
}

/** Bars of equal width, 3 px apart; with many bars the gaps are 1 px or none. */
export function barScale(count: number, width: number): BarScale {
  const step = count > 0 ? width / count : width;
  const gap = step >= 9 ? 3 : step >= 2.5 ? 1 : 0;
  const left = (at: number) => Math.round(at * step);
  return {
    width,
    count,
    left,
    barWidth: (at) => Math.max(1, left(at + 1) - left(at) - gap),
    at: (x) => Math.min(count - 1, Math.max(0, Math.floor(x / step))),
  };
}

/** The ticks that are at least `room` pixels after the previous one. */
export function spacedTicks(ticks: readonly Tick[], scale: BarScale, room: number): Tick[] {
  const shown: Tick[] = [];
  for (const tick of ticks) {
    const last = shown.at(-1);
    if (!last || scale.left(tick.at) - scale.left(last.at) >= room) shown.push(tick);
  }
  return shown;
}

/** The size of an element, measured before the first paint and on each change. */
export function useSize<E extends Element>(): [RefObject<E | null>, { width: number; height: number }] {
  const element = useRef<E>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => {
      const { width, height } = current.getBoundingClientRect();
      setSize({ width: Math.round(width), height: Math.round(height) });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [element, size];
}

export function useWidth<E extends Element>(): [RefObject<E | null>, number] {
  const [element, { width }] = useSize<E>();
  return [element, width];
}

interface BarPlotProps {
  bars: readonly Bar[];
  scale: BarScale;
  height: number;
  /** The value of a full-height bar; by default the largest value. */
  max?: number;
  /** The bar under the pointer. */
  pointed?: number | null;
  /** The first and the last bar of the chosen range. */
  lit?: readonly [number, number] | null;
  /** Drawn behind the bars. */
  ground?: ReactNode;
  children?: ReactNode;
}

/** The bars alone, hidden from screen readers. A `PlotTable` or a similar text stands beside them. */
export function BarPlot({ bars, scale, height, max, pointed = null, lit = null, ground, children }: BarPlotProps) {
  const top = max ?? Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg className={styles['plot']} width={scale.width} height={height} aria-hidden="true">
      {ground}
      {bars.map(({ key, value, isUnfinished }, at) => {
        if (value === 0) return null;
        // At least 3 px, so that a small value beside a large one stays visible.
        const [width, tall] = [scale.barWidth(at), Math.max(3, Math.round((value / top) * (height - 1)))];
        // The outline of a hollow bar is centred on its edge.
        const line = isUnfinished && width >= 3 ? 1 : 0;
        return (
          <rect
            key={key}
            x={scale.left(at) + line / 2}
            y={height - tall + line / 2}
            width={width - line}
            height={Math.max(tall - line, 0.5)}
            rx={Math.min(2, width / 4)}
            data-hollow={line > 0 || undefined}
            data-lit={(lit !== null && at >= lit[0] && at <= lit[1]) || undefined}
            data-pointed={at === pointed || undefined}
          />
        );
      })}
      {children}
    </svg>
  );
}

interface PlotTicksProps {
  ticks: readonly Tick[];
  scale: BarScale;
  /** Pointer presses only: the plot has one tab stop and handles the keys itself. */
  onPress?: (tick: Tick) => void;
}

/** The labels under the bars. */
export function PlotTicks({ ticks, scale, onPress }: PlotTicksProps) {
  return (
    <div className={styles['ticks']} aria-hidden="true">
      {ticks.map((tick) => {
        const style = tick.isLast ? { insetInlineEnd: 0 } : { insetInlineStart: scale.left(tick.at) };
        return onPress ? (
          <button key={tick.at} type="button" tabIndex={-1} style={style} onClick={() => onPress(tick)}>
            {tick.label}
          </button>
        ) : (
          <span key={tick.at} style={style}>
            {tick.label}
          </span>
        );
      })}
    </div>
  );
}

/** A label over the pointed bar, within the plot. */
export function PlotReadout({ at, scale, children }: { at: number; scale: BarScale; children: ReactNode }) {
  const middle = scale.left(at) + scale.barWidth(at) / 2;
  return (
    <span
      className={styles['readout']}
      aria-hidden="true"
      style={{ insetInlineStart: middle, translate: `${-(scale.width > 0 ? middle / scale.width : 0) * 100}% 0` }}
    >
      {children}
    </span>
  );
}

interface PlotTableProps {
  caption: string;
  /** The headings of the two columns. */
  heads: readonly [string, string];
  bars: readonly Bar[];
}

/** The same figures as a table, for screen readers. */
export function PlotTable({ caption, heads, bars }: PlotTableProps) {
  return (
    // On a wrapper, because a table ignores a height smaller than its rows.
    <div className="visually-hidden">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ value }) => value > 0)
            .map(({ key, label, value }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{value}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
