/** One line of a scrape. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** A scrape and its time in seconds. */
export interface Scrape {
  at: number;
  samples: Sample[];
}

/** Parses the Prometheus text format. */
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
const TERM = new RegExp(String.raw`^(?:${SELECTOR}|(rate|changes)\(${SELECTOR}\[\d+m\]\))$`);
const SUM = /^sum by \((\w+)\) \((.+)\)$/;

/**
 * Evaluates the part of PromQL that the alert rules use: `a`, `a - b`, `rate(a[5m])`, `changes(a[5m])` or the sum of
 * one, compared with a number; `or` between such. `scrapes` are all scrapes of the queried range, oldest first.
 */
export function rings(expression: string, scrapes: Scrape[]): boolean {
  return expression.split(' or ').some((comparison) => holds(comparison, scrapes));
}

function holds(expression: string, scrapes: Scrape[]): boolean {
  const [, left = '', sign = '', limit = ''] = /^(.+) (<|>) (-?[\d.]+)$/.exec(expression) ?? [];
  if (sign === '') throw new Error(`not understood: ${expression}`);
  const [first = '', ...others] = left.split(' - ');
  const values = seriesOf(first, scrapes);
  const less = others.map((term) => seriesOf(term, scrapes));
  return [...values].some(([key, value]) => {
    const taken = less.map((series) => series.get(key));
    if (taken.includes(undefined)) return false;
    const result = taken.reduce<number>((sum, one) => sum - (one as number), value);
    return sign === '>' ? result > Number(limit) : result < Number(limit);
  });
}

/**
 * Whether a dashboard expression uses only the supported part of PromQL: `a`, `rate(a[5m])`, sums, and one divided by
 * another.
 */
export function isShowable(expression: string): boolean {
  return expression.split(' / ').every((part) => TERM.test(SUM.exec(part)?.[2] ?? part));
}

/** The names of the metrics in an expression. */
export function metricsIn(expression: string): string[] {
  return [...expression.matchAll(/\bamber_\w+/g)].map(([name]) => name);
}

function seriesOf(term: string, scrapes: Scrape[]): Map<string, number> {
  const [, label, summed] = SUM.exec(term.trim()) ?? [];
  if (label && summed) {
    const sums = new Map<string, number>();
    for (const [key, value] of seriesOf(summed, scrapes)) {
      const own = Object.fromEntries(JSON.parse(key) as [string, string][])[label] ?? '';
      sums.set(own, (sums.get(own) ?? 0) + value);
    }
    return sums;
  }
  const match = TERM.exec(term.trim());
  if (!match) throw new Error(`not understood: ${term}`);
  const [, plain, plainLabels, what, ranged, rangedLabels] = match;
  const name = (plain ?? ranged) as string;
  const wanted = [...(plainLabels ?? rangedLabels ?? '').matchAll(/(\w+)="([^"]*)"/g)];
  const isAsked = ({ name: own, labels }: Sample) =>
    own === name && wanted.every(([, key = '', text]) => labels[key] === text);
  const keyOf = ({ labels }: Sample) => JSON.stringify(Object.entries(labels).sort());
  const times = scrapes.map(({ samples }) => new Map(samples.filter(isAsked).map((one) => [keyOf(one), one.value])));
  const current = [...(times.at(-1) as Map<string, number>)];
  if (what === undefined) return new Map(current);
  const values = (key: string) => times.flatMap((series) => series.get(key) ?? []);
  if (what === 'changes')
    return new Map(
      current.map(([key]) => [key, values(key).filter((one, at, all) => at > 0 && one !== all[at - 1]).length]),
    );
  const seconds = Math.max(1, (scrapes.at(-1) as Scrape).at - (scrapes[0] as Scrape).at);
  // As in Prometheus, the first value of a series is no increase.
  return new Map(current.map(([key, value]) => [key, (value - (values(key)[0] as number)) / seconds]));
}
