interface Definition {
  type: "counter" | "gauge" | "histogram";
  help: string;
  /**
   * Names of labels, at most three. Their values come from a small, closed set: never an id, a name that a user chose,
   * or an address.
   */
  labels: readonly string[];
  /** For a histogram: ascending upper bounds, in the unit at the end of the name. */
  buckets?: readonly number[];
}

const FAST = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const CALLS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];
const LONG = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800, 7_200];

/**
 * Every metric of the service, by name. The instruments, the page for Prometheus, the dashboard, the alerts and the
 * documentation follow this table. A test compares them.
 */
export const METRICS = {
  weft_http_requests_total: {
    type: "counter",
    help: "Answered requests, by the pattern of their path; 499 for clients that left before",
    labels: ["method", "route", "status"],
  },
  weft_http_request_duration_seconds: {
    type: "histogram",
    help: "From a request's first byte to its answer; event streams are left out",
    labels: ["method", "route"],
    buckets: CALLS,
  },
  weft_http_requests_active: { type: "gauge", help: "Requests that are not answered yet", labels: [] },
  weft_event_streams_open: { type: "gauge", help: "Event streams that clients follow", labels: [] },

  weft_action_calls_total: {
    type: "counter",
    help: "Calls of actions that ended, by result: refused is the caller's fault, failed ours",
    labels: ["action", "result"],
  },
  weft_action_active: { type: "gauge", help: "Calls that run now", labels: ["action"] },
  weft_action_duration_seconds: { type: "histogram", help: "How long calls took", labels: ["action"], buckets: CALLS },

  weft_executions_started_total: { type: "counter", help: "Executions that began to run", labels: ["trigger"] },
  weft_executions_finished_total: {
    type: "counter",
    help: "Executions that ended, by status: completed, failed or cancelled",
    labels: ["status"],
  },
  weft_executions_suspended_total: {
    type: "counter",
    help: "How often executions began to wait for people",
    labels: [],
  },
  weft_execution_duration_seconds: {
    type: "histogram",
    help: "From the creation of an execution to its end on this node, with all that it waited for",
    labels: ["status"],
    buckets: LONG,
  },
  weft_execution_wait_seconds: {
    type: "histogram",
    help: "From the creation of an execution to its first step",
    labels: [],
    buckets: LONG,
  },
  weft_runs_left_total: {
    type: "counter",
    help: "Runs that this worker let go of: ended, parked, lost (an append failed, or another worker has it) or unborn (never stored)",
    labels: ["why"],
  },
  weft_queue_depth: {
    type: "gauge",
    help: "Executions in the whole store by state: queued, held by workers, sleeping until a time, suspended; counted up to 10000",
    labels: ["state"],
  },
  weft_queue_oldest_seconds: {
    type: "gauge",
    help: "Age of what is longest in a state: queued and not taken, sleeping beyond its time",
    labels: ["state"],
  },
  weft_workers: { type: "gauge", help: "Workers whose lease has not run out, as this worker sees it", labels: [] },
  weft_worker_held: { type: "gauge", help: "Executions in the hands of this worker", labels: [] },
  weft_worker_capacity: { type: "gauge", help: "Executions that this worker holds at most", labels: [] },
  weft_claim_duration_seconds: {
    type: "histogram",
    help: "How long the store took to claim an execution, or to find none to claim",
    labels: ["result"],
    buckets: FAST,
  },
  weft_journal_append_seconds: {
    type: "histogram",
    help: "How long an append to a journal took, until it was stored",
    labels: [],
    buckets: FAST,
  },
  weft_step_duration_seconds: {
    type: "histogram",
    help: "Attempts of steps, by type and outcome: completed, failed, or waiting where the step goes on later",
    labels: ["type", "outcome"],
    buckets: CALLS,
  },

  weft_step_retries_total: {
    type: "counter",
    help: "Attempts of steps that failed and are tried again, by type",
    labels: ["type"],
  },

  weft_outbound_duration_seconds: {
    type: "histogram",
    help: "Calls to servers outside: `guarded` for what workflows steer, `model` for models; by the answer's class or the error",
    labels: ["kind", "result"],
    buckets: CALLS,
  },
  weft_outbound_active: { type: "gauge", help: "Calls to servers outside that run now", labels: ["kind"] },
  weft_model_tokens_total: {
    type: "counter",
    help: "Tokens of configured models as their servers count them; purpose is chat or embedding, direction input or output",
    labels: ["purpose", "direction"],
  },

  weft_index_waiting: {
    type: "gauge",
    help: "Texts that wait for their vectors, as far as this node has seen; counted up to 512",
    labels: ["kind"],
  },
  weft_index_lag_seconds: {
    type: "gauge",
    help: "Since when texts have been waiting for vectors without a pause, or the index has been away; 0 where none waits",
    labels: ["kind"],
  },
  weft_index_repairs_total: {
    type: "counter",
    help: "Entries of the search index that were put in or removed because it differed from the documents",
    labels: ["kind", "repair"],
  },

  weft_log_lines_total: { type: "counter", help: "Lines logged, by level, from `warn` on", labels: ["level"] },
  weft_file_bytes_total: {
    type: "counter",
    help: "Bytes of files and large outputs that were stored or read",
    labels: ["direction"],
  },
  weft_file_failures_total: {
    type: "counter",
    help: "Failed transfers: the store was away, the file was too large, missing or damaged",
    labels: ["why"],
  },

  weft_spans_total: {
    type: "counter",
    help: "Finished spans: sent, refused by the collector or lost on the way to it, or dropped as too many waited",
    labels: ["result"],
  },

  weft_build_info: { type: "gauge", help: "1, with the version that runs", labels: ["version"] },
  weft_event_loop_active_seconds_total: {
    type: "counter",
    help: "Time in which the main thread was busy; its rate is a share of one processor",
    labels: [],
  },
  process_cpu_seconds_total: { type: "counter", help: "Processor time of the process, all threads", labels: [] },
  process_resident_memory_bytes: { type: "gauge", help: "Memory that the process holds", labels: [] },
  process_start_time_seconds: { type: "gauge", help: "When the process began, in seconds of Unix time", labels: [] },
  nodejs_heap_used_bytes: { type: "gauge", help: "Memory in use for objects of JavaScript", labels: [] },
} as const satisfies Record<string, Definition>;

export type MetricName = keyof typeof METRICS;

/** The names of metrics of one type. */
export type NameOf<T extends Definition["type"]> = {
  [N in MetricName]: (typeof METRICS)[N]["type"] extends T ? N : never;
}[MetricName];

type StringFor<L extends readonly string[]> = { [K in keyof L]: string };
/** The values of a metric's labels, in the order of the table. */
export type ValuesOf<N extends MetricName> = StringFor<(typeof METRICS)[N]["labels"]>;

export const definitionOf = (name: MetricName): Definition => METRICS[name];
