import { type AnswerOf, type ArchiveFilter, ENDPOINTS, printFilters } from '@archive/contracts';
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import useSWR from 'swr';
import { fetchJson } from '../../lib/api.ts';
import { formatCount } from '../../lib/format.ts';
import {
  BarPlot,
  type BarScale,
  barScale,
  PlotReadout,
  PlotTable,
  PlotTicks,
  spacedTicks,
  useSize,
} from '../../ui/bar-plot.tsx';
import { barsOf, barsWithin, datesOf, rangeText, spanText, ticksOf, underTick, widened } from './buckets.ts';
import styles from './timeline.module.css';
import { type DayRange, rangeOf, withoutRange, withRange } from './timeline-range.ts';

/** Milliseconds after the last key before the address changes, as in the search box. */
const KEYS_MS = 350;
const TICK_ROOM = 52;
/** Pixels for the figure on the line of the maximum. */
const FIGURE_ROOM = 40;
/** A bar lower than this part of the maximum does not reach the figure. */
const LOW = 0.85;
/** Pixels around an edge within which a press grips it: half a touch target. */
const GRIP_REACH = 22;
const FAR = 10;

interface TimelineProps {
  /** The filters of the list, including its author; null until the list is loaded. */
  filter: ArchiveFilter | null;
  /** The words that hold the chosen dates. */
  words: ArchiveFilter;
  onRange: (change: ArchiveFilter) => void;
  /** Shown if no dates are chosen. */
  hint: string;
  isInPanel?: boolean;
}

/** A range while it is dragged: its fixed end and its moving end. */
interface Draft {
  anchor: number;
  edge: number;
}

/** A plot of posts over time, above their list. Dragging chooses dates. */
export function Timeline({ filter, words, onRange, hint, isInPanel }: TimelineProps) {
  const address = filter && timelineAddress(withoutRange(filter));
  const answer = useSWR<AnswerOf<'timeline'>>(address, fetchJson, { keepPreviousData: true });
  const { error } = answer;
  // The kept answer may belong to another search.
  const data = error === undefined ? answer.data : undefined;
  const bars = useMemo(() => (data ? widened(data.bucket, barsOf(data, Date.now()), Date.now()) : []), [data]);
  const [plot, { width, height }] = useSize<HTMLDivElement>();
  const scale = useMemo(() => barScale(bars.length, width), [bars.length, width]);
  const [pointed, setPointed] = useState<number | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const isDragging = useRef(false);
  const helpId = useId();

  const chosen = rangeOf(words);
  const kept = barsWithin(bars, chosen);
  const lit: [number, number] | null = draft
    ? [Math.min(draft.anchor, draft.edge), Math.max(draft.anchor, draft.edge)]
    : kept;
  const shown = draft && lit && bars.length > 0 ? datesOf(bars, lit) : chosen;

  function choose(range: DayRange) {
    setDraft(null);
    if (range.since === chosen.since && range.until === chosen.until) return;
    onRange(withRange(words, range));
  }

  // The address follows the keys after a pause.
  const latest = useRef({ choose, bars });
  useEffect(() => {
    latest.current = { choose, bars };
  });
  useEffect(() => {
    if (!draft || isDragging.current) return;
    const timer = setTimeout(() => {
      const { choose, bars } = latest.current;
      choose(datesOf(bars, [Math.min(draft.anchor, draft.edge), Math.max(draft.anchor, draft.edge)]));
    }, KEYS_MS);
    return () => clearTimeout(timer);
  }, [draft]);

  function place(event: PointerEvent): number {
    const { left } = event.currentTarget.getBoundingClientRect();
    return event.clientX - left;
  }

  function onPointerDown(event: PointerEvent<HTMLDivElement>) {
    if (bars.length === 0 || event.button !== 0) return;
    const x = place(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    isDragging.current = true;
    const other = lit && gripped(scale, lit, x);
    setDraft({ anchor: other ?? scale.at(x), edge: scale.at(x) });
  }

  function onPointerMove(event: PointerEvent<HTMLDivElement>) {
    if (bars.length === 0) return;
    const at = scale.at(place(event));
    setPointed(at);
    if (isDragging.current) setDraft((drawn) => drawn && { ...drawn, edge: at });
  }

  function onPointerUp() {
    if (!isDragging.current) return;
    isDragging.current = false;
    if (draft && lit) choose(datesOf(bars, lit));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (bars.length === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = bars.length - 1;
    const now: Draft | null = draft ?? (kept && { anchor: kept[0], edge: kept[1] });
    const step = (event.shiftKey ? FAR : 1) * (event.key === 'ArrowLeft' ? -1 : 1);
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowRight': {
        const begun = event.key === 'ArrowLeft' ? last : 0;
        const edge = now ? Math.min(last, Math.max(0, now.edge + step)) : begun;
        setDraft({ anchor: now?.anchor ?? begun, edge });
        break;
      }
      case 'Home':
      case 'End': {
        const edge = event.key === 'Home' ? 0 : last;
        setDraft({ anchor: now?.anchor ?? edge, edge });
        break;
      }
      case 'PageUp':
      case 'PageDown': {
        const isBack = event.key === 'PageUp';
        const next = now
          ? isBack
            ? Math.min(now.anchor, now.edge) - 1
            : Math.max(now.anchor, now.edge) + 1
          : isBack
            ? last
            : 0;
        if (data && next >= 0 && next <= last) {
          const [anchor, edge] = underTick(data.bucket, bars, next);
          setDraft({ anchor, edge });
        }
        break;
      }
      case 'Enter':
        if (now) setDraft({ anchor: now.edge, edge: now.anchor });
        break;
      case 'Escape':
        if (!now) return;
        choose({});
        break;
      default:
        return;
    }
    event.preventDefault();
  }

  const top = Math.max(0, ...bars.map(({ value }) => value));
  const told = shown.since || shown.until ? rangeText(shown) : 'all dates';
  const sum = bars.reduce((all, { value }, at) => (!lit || (at >= lit[0] && at <= lit[1]) ? all + value : all), 0);
  const heading = `Posts a ${data?.bucket ?? 'month'}`;
  const over = pointed !== null && pointed < bars.length && !(draft && isDragging.current) ? bars[pointed] : undefined;

  return (
    <section className={styles['timeline']} data-panel={isInPanel} aria-label="Timeline">
      <header className={styles['head']}>
        <p className={styles['what']}>
          {(data || error !== undefined) && (
            <>
              <b>{heading}</b> {error === undefined ? spanText(bars) : 'could not be loaded.'}
            </>
          )}
        </p>
        {shown.since || shown.until ? (
          <p className={styles['chosen']}>
            <b>{rangeText(shown)}</b>
            <button type="button" className={styles['clear']} onClick={() => choose({})}>
              Clear
            </button>
          </p>
        ) : (
          <p className={styles['hint']}>{bars.length > 1 && hint}</p>
        )}
      </header>
      <div
        ref={plot}
        className={styles['plot']}
        role="slider"
        tabIndex={0}
        aria-label="Dates"
        aria-describedby={helpId}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={draft?.edge ?? kept?.[1] ?? Math.max(0, bars.length - 1)}
        aria-valuetext={`${told}, ${inPosts(sum)}`}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onPointerCancel={() => {
          isDragging.current = false;
          setDraft(null);
        }}
        onPointerLeave={() => setPointed(null)}
        onKeyDown={onKeyDown}
      >
        {top > 0 && (
          <span
            className={styles['top']}
            style={{ insetInlineStart: freePlace(bars, scale, top, width) }}
            aria-hidden="true"
          >
            {formatCount(top)}
          </span>
        )}
        {width > 0 && bars.length > 0 && (
          <BarPlot
            bars={bars}
            scale={scale}
            height={height}
            lit={lit}
            pointed={over ? pointed : null}
            ground={lit && <rect className={styles['ground']} {...rangeBox(scale, lit)} y={0} height={height} />}
          >
            {lit &&
              [edgesOf(scale, lit)]
                .flat()
                .map((x, side) => <Grip key={side === 0 ? 'since' : 'until'} x={x} height={height} />)}
          </BarPlot>
        )}
        {over && pointed !== null && (
          <PlotReadout at={pointed} scale={scale}>
            <b>{inPosts(over.value)}</b> {over.label}
          </PlotReadout>
        )}
      </div>
      {data && bars.length > 0 && width > 0 ? (
        <PlotTicks
          ticks={spacedTicks(ticksOf(data.bucket, bars), scale, TICK_ROOM)}
          scale={scale}
          onPress={({ at }) => choose(datesOf(bars, underTick(data.bucket, bars, at)))}
        />
      ) : (
        <div className={styles['noTicks']} />
      )}
      <p id={helpId} className="visually-hidden">
        Arrow keys move an edge of the dates, with Shift ten times as far; Enter changes the edge, Page Up and Page Down
        take a whole year or month, Escape takes all dates.
      </p>
      {bars.length > 0 && (
        <PlotTable caption={`Timeline by ${data?.bucket ?? 'month'}`} heads={['When', 'Posts']} bars={bars} />
      )}
    </section>
  );
}

function Grip({ x, height }: { x: number; height: number }) {
  return (
    <g className={styles['grip']}>
      <line x1={x} x2={x} y1={0} y2={height} />
      <rect x={x - 6} y={height / 2 - 11} width={12} height={22} rx={5} />
    </g>
  );
}

function timelineAddress(filter: ArchiveFilter): string {
  const query = printFilters(filter);
  return query ? `${ENDPOINTS.timeline.path}?${query}` : ENDPOINTS.timeline.path;
}

function edgesOf(scale: BarScale, [first, last]: [number, number]): [number, number] {
  return [scale.left(first), scale.left(last) + scale.barWidth(last)];
}

function rangeBox(scale: BarScale, lit: [number, number]): { x: number; width: number } {
  const [x, end] = edgesOf(scale, lit);
  return { x, width: end - x };
}

/** The fixed end of the range, if `x` is near its other edge; else null. */
function gripped(scale: BarScale, lit: [number, number], x: number): number | null {
  const [left, right] = edgesOf(scale, lit).map((edge) => Math.abs(x - edge)) as [number, number];
  if (Math.min(left, right) > GRIP_REACH) return null;
  return left < right ? lit[1] : lit[0];
}

function inPosts(count: number): string {
  return `${formatCount(count)} ${count === 1 ? 'post' : 'posts'}`;
}

/** A place for the figure of the maximum where it covers no bar: at the start, or as near to it as possible. */
function freePlace(bars: readonly { value: number }[], scale: BarScale, top: number, width: number): number {
  for (let x = 0; x + FIGURE_ROOM <= width; x += FIGURE_ROOM / 2) {
    const under = bars.slice(scale.at(x), scale.at(x + FIGURE_ROOM) + 1);
    if (under.every(({ value }) => value < top * LOW)) return x;
  }
  return 0;
}
