import type { ActionSchema, Context, Middleware } from "moleculer";

const BUCKETS_MS = [1, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000, 30_000];
const RESULTS = ["ok", "refused", "failed"] as const;
type Result = (typeof RESULTS)[number];

interface Tally {
  active: number;
  results: Record<Result, number>;
  sumMs: number;
  /** How many took at most the bound of the same index; those that took longer come last. */
  buckets: number[];
}

type Render = (labels: Record<string, string | number>) => string;

const resultOf = (error: unknown): Result => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "number" && code < 500 ? "refused" : "failed";
};

function end(tally: Tally, began: number, result: Result): void {
  const ms = performance.now() - began;
  const bucket = BUCKETS_MS.findIndex(bound => ms <= bound);
  tally.active--;
  tally.results[result]++;
  tally.sumMs += ms;
  tally.buckets[bucket < 0 ? BUCKETS_MS.length : bucket]!++;
}

function durationLines(action: string, { buckets, sumMs }: Tally, labels: Render): string[] {
  let count = 0;
  const lines = buckets.map((inBucket, index) => {
    count += inBucket;
    const bound = BUCKETS_MS[index];
    const le = bound === undefined ? "+Inf" : bound / 1_000;
    return `weft_action_duration_seconds_bucket${labels({ action, le })} ${count}`;
  });
  const own = labels({ action });
  return [
    ...lines,
    `weft_action_duration_seconds_sum${own} ${sumMs / 1_000}`,
    `weft_action_duration_seconds_count${own} ${count}`,
  ];
}

/**
 * Counts and times the actions that this node runs. Moleculer's own middleware costs ten times as much per call,
 * since it looks up seven label sets and keeps every duration for its quantiles.
 */
export function actionMetrics() {
  const tallies = new Map<string, Tally>();

  const middleware: Middleware = {
    name: "action-metrics",
    localAction(next: (ctx: Context) => Promise<unknown>, { name = "" }: ActionSchema) {
      const buckets = new Array<number>(BUCKETS_MS.length + 1).fill(0);
      const tally: Tally = { active: 0, results: { ok: 0, refused: 0, failed: 0 }, sumMs: 0, buckets };
      tallies.set(name, tally);
      return function measured(ctx: Context) {
        const began = performance.now();
        tally.active++;
        return next(ctx).then(
          result => {
            end(tally, began, "ok");
            return result;
          },
          (error: unknown) => {
            end(tally, began, resultOf(error));
            throw error;
          },
        );
      };
    },
  };

  /** The tallies as lines of Prometheus' text format. */
  const source = (labels: Render): string[] => {
    const all = [...tallies];
    return [
      "# HELP weft_action_calls_total Calls that ended, by result: refused is the caller's fault, failed ours",
      "# TYPE weft_action_calls_total counter",
      ...all.flatMap(([action, { results }]) =>
        RESULTS.map(result => `weft_action_calls_total${labels({ action, result })} ${results[result]}`),
      ),
      "# HELP weft_action_active Calls that run now",
      "# TYPE weft_action_active gauge",
      ...all.map(([action, { active }]) => `weft_action_active${labels({ action })} ${active}`),
      "# HELP weft_action_duration_seconds How long calls took",
      "# TYPE weft_action_duration_seconds histogram",
      ...all.flatMap(([action, tally]) => durationLines(action, tally, labels)),
    ];
  };

  return { middleware, source };
}
