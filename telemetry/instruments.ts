import { definitionOf, type MetricName, type NameOf, type ValuesOf } from "./metrics.ts";

/**
 * The most series of a metric. If labels go wrong, further series are counted together, so the page stays readable. All
 * routes with all their statuses need fewer.
 */
const MAX_SERIES = 2_000;
const OTHER = "other";

/** One number with one set of labels. Counters only increase. Gauges may be set. */
export class Value {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }

  set(value: number): void {
    this.value = value;
  }

  /** Marks the value as unknown. The page leaves it out until it is set again. */
  forget(): void {
    this.value = NaN;
  }
}

/** Counts the values in each bucket, by its upper bound. The last count is of values beyond all bounds. */
export class Histogram {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && value > bounds[at]!) at++;
    this.counts[at]!++;
    this.sum += value;
  }
}

/** All series of one metric. Finding an existing one allocates nothing. */
export class Family<S> {
  readonly name: MetricName;
  readonly #make: () => S;
  readonly #tree = new Map<string, Map<string, Map<string, S>>>();
  readonly #all: { values: string[]; series: S }[] = [];

  constructor(name: MetricName, make: () => S) {
    this.name = name;
    this.#make = make;
  }

  of(first = "", second = "", third = ""): S {
    return this.#tree.get(first)?.get(second)?.get(third) ?? this.#add(first, second, third);
  }

  get all(): readonly { values: string[]; series: S }[] {
    return this.#all;
  }

  #add(...values: [string, string, string]): S {
    const places = definitionOf(this.name).labels.length;
    if (this.#all.length >= MAX_SERIES && values[0] !== OTHER) {
      const others = values.map((_, place) => (place < places ? OTHER : ""));
      return this.of(...others);
    }
    const [first, second, third] = values;
    const series = this.#make();
    const seconds = this.#tree.get(first) ?? new Map<string, Map<string, S>>();
    const thirds = seconds.get(second) ?? new Map<string, S>();
    this.#tree.set(first, seconds.set(second, thirds.set(third, series)));
    this.#all.push({ values: values.slice(0, places), series });
    return series;
  }
}

/** Finds the series for these values of the metric's labels. The same values give the same series. */
export type SeriesOf<N extends MetricName, S> = (...values: ValuesOf<N>) => S;

const families = new Map<MetricName, Family<Value> | Family<Histogram>>();

function family<S extends Value | Histogram>(name: MetricName, make: () => S): Family<S> {
  const known = families.get(name) as Family<S> | undefined;
  if (known) return known;
  const made = new Family(name, make);
  families.set(name, made as Family<Value> | Family<Histogram>);
  // A series without labels exists from the beginning, so its first count has a rate.
  if (definitionOf(name).labels.length === 0) made.of();
  return made;
}

/** Has no rest parameter, which would allocate a list at each call. */
const finder = <N extends MetricName, S>(made: Family<S>): SeriesOf<N, S> =>
  ((first?: string, second?: string, third?: string) => made.of(first, second, third)) as unknown as SeriesOf<N, S>;

const values = <N extends MetricName>(name: N): SeriesOf<N, Value> => finder(family(name, () => new Value()));

/** The instruments of this process, by their names in the table. */
export const counter = <N extends NameOf<"counter">>(name: N): SeriesOf<N, Value> => values(name);
export const gauge = <N extends NameOf<"gauge">>(name: N): SeriesOf<N, Value> => values(name);
export function histogram<N extends NameOf<"histogram">>(name: N): SeriesOf<N, Histogram> {
  const { buckets = [] } = definitionOf(name);
  return finder(family(name, () => new Histogram(buckets)));
}

export const allFamilies = (): readonly (Family<Value> | Family<Histogram>)[] => [...families.values()];
