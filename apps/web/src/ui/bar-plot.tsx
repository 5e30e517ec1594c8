import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import styles from './bar-plot.module.css';

/** One bar, from zero. */
export interface Bar {
  key: string;
  /** In full, such as `May 2025`: for the table, and where it is pointed at. */
  label: string;
  value: number;
  /** Not ended yet: drawn hollow. */
  isUnfinished?: boolean;
}

/** A word under the bar at which something begins. */
export interface Tick {
  at: number;
  label: string;
  /** Stands at the end of the plot, and ends there. */
  isLast?: boolean;
}

/** Where bars stand, in whole pixels. */
export interface BarScale {
  width: number;
  count: number;
  /** Where the place of a bar begins; of one after the last, where the plot ends. */
  left(at: number): number;
  barWidth(at: number): number;
  /** The bar in whose place this is; beyond the ends, the first or the last. */
  at(x: number): number;
}

/** Bars of equal width: 3 px apart, fewer where there are many. */
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

/** Those of these that have room of their own: each as far as `room` from the one before. */
export function spacedTicks(ticks: readonly Tick[], scale: BarScale, room: number): Tick[] {
  const shown: Tick[] = [];
  for (const tick of ticks) {
    const last = shown.at(-1);
    if (!last || scale.left(tick.at) - scale.left(last.at) >= room) shown.push(tick);
  }
  return shown;
}

/** How large an element is, told before it is painted and whenever it changes. */
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
  /** What the highest bar may be; without it, the highest that is there. */
  max?: number;
  /** The bar that is pointed at. */
  pointed?: number | null;
  /** The first and the last bar of a range. */
  lit?: readonly [number, number] | null;
  /** Drawn below and above the bars. */
  ground?: ReactNode;
  children?: ReactNode;
}

/** The bars alone; what says it in words, `PlotTable` or its like, stands beside them. */
export function BarPlot({ bars, scale, height, max, pointed = null, lit = null, ground, children }: BarPlotProps) {
  const top = max ?? Math.max(1, ...bars.map(({ value }) => value));
  return (
    <svg className={styles['plot']} width={scale.width} height={height} aria-hidden="true">
      {ground}
      {bars.map(({ key, value, isUnfinished }, at) => {
        if (value === 0) return null;
        // At least 3 pixels: a bar of few posts beside one of many stays visible.
        const [width, tall] = [scale.barWidth(at), Math.max(3, Math.round((value / top) * (height - 1)))];
        // A hollow one is drawn along its middle.
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
  /** Presses with a pointer; keys do the same in the plot, which is one tab stop. */
  onPress?: (tick: Tick) => void;
}

/** Words under the bars. */
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

/** What is pointed at, over its bar and within the plot. */
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
  /** Heads of the two columns. */
  heads: readonly [string, string];
  bars: readonly Bar[];
}

/** The same as a table, for readers. */
export function PlotTable({ caption, heads, bars }: PlotTableProps) {
  return (
    // Around it: a table takes the height of its rows, whatever it is told.
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
