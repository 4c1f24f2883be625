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
    help: "Responses, by the pattern of the path; status 499 if the client closed the connection first",
    labels: ["method", "route", "status"],
  },
  weft_http_request_duration_seconds: {
    type: "histogram",
    help: "Time from the first byte of a request to its response; does not include event streams",
    labels: ["method", "route"],
    buckets: CALLS,
  },
  weft_http_requests_active: { type: "gauge", help: "Requests in progress", labels: [] },
  weft_event_streams_open: { type: "gauge", help: "Open event streams", labels: [] },

  weft_action_calls_total: {
    type: "counter",
    help: "Completed calls of actions, by result: refused if the caller caused the failure, failed if Weft did",
    labels: ["action", "result"],
  },
  weft_action_active: { type: "gauge", help: "Calls of actions in progress", labels: ["action"] },
  weft_action_duration_seconds: {
    type: "histogram",
    help: "Duration of calls of actions",
    labels: ["action"],
    buckets: CALLS,
  },

  weft_executions_started_total: { type: "counter", help: "Started executions", labels: ["trigger"] },
  weft_executions_finished_total: {
    type: "counter",
    help: "Ended executions, by status: completed, failed or cancelled",
    labels: ["status"],
  },
  weft_executions_suspended_total: {
    type: "counter",
    help: "How often an execution began to wait for a person",
    labels: [],
  },
  weft_execution_duration_seconds: {
    type: "histogram",
    help: "Time from the creation of an execution to its end on this node, including waits",
    labels: ["status"],
    buckets: LONG,
  },
  weft_execution_wait_seconds: {
    type: "histogram",
    help: "Time from the creation of an execution to its first step",
    labels: [],
    buckets: LONG,
  },
  weft_runs_left_total: {
    type: "counter",
    help: "Executions that this worker released: ended, parked, lost (an append failed, or another worker has it) or unborn (never stored)",
    labels: ["why"],
  },
  weft_queue_depth: {
    type: "gauge",
    help: "Open executions in the whole store, by state: queued, held by workers, sleeping until a time, suspended; counted up to 10000",
    labels: ["state"],
  },
  weft_queue_oldest_seconds: {
    type: "gauge",
    help: "Age of the oldest execution in a state: queued and not claimed, or sleeping past its due time",
    labels: ["state"],
  },
  weft_workers: { type: "gauge", help: "Workers with a valid lease, as this worker sees them", labels: [] },
  weft_worker_held: { type: "gauge", help: "Executions that this worker holds", labels: [] },
  weft_worker_capacity: { type: "gauge", help: "The most executions that this worker can hold", labels: [] },
  weft_claim_duration_seconds: {
    type: "histogram",
    help: "Time that the store took to claim an execution, or to find no execution",
    labels: ["result"],
    buckets: FAST,
  },
  weft_journal_append_seconds: {
    type: "histogram",
    help: "Duration of an append to a journal, until it is stored",
    labels: [],
    buckets: FAST,
  },
  weft_step_duration_seconds: {
    type: "histogram",
    help: "Duration of attempts of steps, by type and outcome: completed, failed, or waiting if the step continues later",
    labels: ["type", "outcome"],
    buckets: CALLS,
  },

  weft_step_retries_total: {
    type: "counter",
    help: "Failed attempts of steps that are retried, by type",
    labels: ["type"],
  },

  weft_outbound_duration_seconds: {
    type: "histogram",
    help: "Duration of outgoing calls: `guarded` to addresses that users control, `model` to models; by status class or error",
    labels: ["kind", "result"],
    buckets: CALLS,
  },
  weft_outbound_active: { type: "gauge", help: "Outgoing calls in progress", labels: ["kind"] },
  weft_model_tokens_total: {
    type: "counter",
    help: "Tokens of configured models, as their servers count them; purpose is chat or embedding, direction is input or output",
    labels: ["purpose", "direction"],
  },

  weft_index_waiting: {
    type: "gauge",
    help: "Texts that wait for their vectors, as this node sees them; counted up to 512",
    labels: ["kind"],
  },
  weft_index_lag_seconds: {
    type: "gauge",
    help: "How long texts have been waiting for vectors without interruption, or the index has been unavailable; 0 if no text waits",
    labels: ["kind"],
  },
  weft_index_repairs_total: {
    type: "counter",
    help: "Entries that were added to or removed from the search index because it differed from the documents",
    labels: ["kind", "repair"],
  },

  weft_log_lines_total: {
    type: "counter",
    help: "Logged lines of level `warn` and above, by level",
    labels: ["level"],
  },
  weft_file_bytes_total: {
    type: "counter",
    help: "Bytes of files and large outputs, stored or read",
    labels: ["direction"],
  },
  weft_file_failures_total: {
    type: "counter",
    help: "Failed file transfers, by reason: the store was unavailable, or the file was too large, missing or damaged",
    labels: ["why"],
  },

  weft_spans_total: {
    type: "counter",
    help: "Finished spans: sent, refused by the collector or lost on the way to it, or dropped because too many waited",
    labels: ["result"],
  },

  weft_build_info: { type: "gauge", help: "Always 1; the label is the version of this node", labels: ["version"] },
  weft_event_loop_active_seconds_total: {
    type: "counter",
    help: "Time that the main thread was busy; its rate is a share of one processor",
    labels: [],
  },
  process_cpu_seconds_total: { type: "counter", help: "Processor time of the process, all threads", labels: [] },
  process_resident_memory_bytes: { type: "gauge", help: "Memory that the process holds", labels: [] },
  process_start_time_seconds: { type: "gauge", help: "Start of the process, in seconds of Unix time", labels: [] },
  nodejs_heap_used_bytes: { type: "gauge", help: "Memory in use by JavaScript objects", labels: [] },
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
