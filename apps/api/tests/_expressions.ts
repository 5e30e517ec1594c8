/** One line of a scrape. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A scrape, and when it was made, in seconds. */
export interface Scrape {
  at: number;
  samples: Sample[];
}

/** The text format of Prometheus. */
export function readScrape(text: string, at: number): Scrape {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', inner = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const labels = Object.fromEntries([...inner.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key, text]));
      return { name, labels, value: Number(value) };
    });
  return { at, samples };
}

const SELECTOR = String.raw`(\w+)(?:\{((?:\w+="[^"]*",?)+)\})?`;
const TERM = new RegExp(String.raw`^(?:${SELECTOR}|rate\(${SELECTOR}\[(\d+)m\]\))$`);

/** The part of PromQL in which our rules are written: `a`, `a - b` or `rate(a[5m])`, compared with a number; `or` between such. */
export function rings(expression: string, before: Scrape, now: Scrape): boolean {
  return expression.split(' or ').some((comparison) => holds(comparison, before, now));
}

function holds(expression: string, before: Scrape, now: Scrape): boolean {
  const [, left = '', sign = '', limit = ''] = /^(.+) (<|>) (-?[\d.]+)$/.exec(expression) ?? [];
  if (sign === '') throw new Error(`not understood: ${expression}`);
  const [first = '', ...others] = left.split(' - ');
  const values = seriesOf(first, before, now);
  const less = others.map((term) => seriesOf(term, before, now));
  return [...values].some(([key, value]) => {
    const taken = less.map((series) => series.get(key));
    if (taken.includes(undefined)) return false;
    const result = taken.reduce<number>((sum, one) => sum - (one as number), value);
    return sign === '>' ? result > Number(limit) : result < Number(limit);
  });
}

/** Whether the dashboard's expression is of the part of PromQL that we use there: `a`, `rate(a[5m])`, and sums of these. */
export function isShowable(expression: string): boolean {
  const [, summed] = /^sum by \(\w+(?:, \w+)*\) \((.+)\)$/.exec(expression) ?? [];
  return TERM.test(summed ?? expression);
}

/** Names of the metrics that an expression asks, whatever else it does with them. */
export function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/\bamber_\w+/g)].map(([name]) => name);
}

function seriesOf(term: string, before: Scrape, now: Scrape): Map<string, number> {
  const match = TERM.exec(term.trim());
  if (!match) throw new Error(`not understood: ${term}`);
  const [, plain, plainLabels, counter, counterLabels] = match;
  const name = (plain ?? counter) as string;
  const wanted = [...(plainLabels ?? counterLabels ?? '').matchAll(/(\w+)="([^"]*)"/g)];
  const isAsked = ({ name: own, labels }: Sample) =>
    own === name && wanted.every(([, key = '', text]) => labels[key] === text);
  const keyOf = ({ labels }: Sample) => JSON.stringify(Object.entries(labels).sort());
  const current = now.samples.filter(isAsked);
  if (!counter) return new Map(current.map((sample) => [keyOf(sample), sample.value]));
  const earlier = new Map(before.samples.filter(isAsked).map((sample) => [keyOf(sample), sample.value]));
  // A series that was not there counts from nothing, as it does once it is there.
  return new Map(
    current.map((sample) => [
      keyOf(sample),
      (sample.value - (earlier.get(keyOf(sample)) ?? 0)) / Math.max(1, now.at - before.at),
    ]),
  );
}
