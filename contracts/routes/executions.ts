import { type FileUpload, route, SPACE, WORKSPACE } from "./route.ts";

export const EXECUTIONS = `${SPACE}/executions`;

/** The address of a waiting step. Programs and pages post to it. */
export const RESUME_PATH = "/v1/resume/:token";

const ALL = `${WORKSPACE}/executions`;

const upload: FileUpload = { types: "any", begin: "executions.files.begin", discard: "files.discard" };

export const executionsRoutes = [
  route("GET", ALL, "executions.listAll", 200, "List the executions of all spaces, without their payloads"),
  route("GET", `${ALL}/:id`, "executions.find", 200, "Read an execution of any space"),
  route("GET", `${WORKSPACE}/questions`, "executions.questions", 200, "List the open questions of a workspace"),
  route("GET", `${WORKSPACE}/answers`, "executions.answers", 200, "List the answered questions of a workspace"),
  route("POST", `${WORKSPACE}/signals`, "executions.signal", 200, "Send a signal to the runs that wait for it", {
    errors: ["limit_reached", "conflict"],
    // Signals are frequent, and the log of the receiving run records them.
    audited: false,
  }),
  route("POST", RESUME_PATH, "executions.resume", 200, "End the wait of a step by its address", {
    errors: ["link_invalid", "link_credential_wrong", "conflict"],
    wholeBody: "data",
    audited: false,
    guessable: false,
  }),
  route("POST", "/v1/answer-links/read", "executions.link.read", 200, "Read the question of a signed link", {
    errors: ["link_invalid"],
    audited: false,
  }),
  route("POST", "/v1/answer-links", "executions.link.answer", 204, "Answer the question of a signed link", {
    errors: ["link_invalid", "conflict"],
    // The action itself records the link's owner, who is not known before it runs.
    audited: false,
  }),
  route("GET", `${ALL}/stats`, "executions.statsAll", 200, "Count the executions of all spaces"),
  route("POST", EXECUTIONS, "executions.start", 201, "Start an execution", {
    headers: { prefer: "waitMs" },
    formInto: "input",
    errors: ["workflow_trashed", "execution_key_taken", "quota_exceeded"],
    found: true,
    // Executions are frequent, and each document already records who started it and when.
    audited: false,
  }),
  route("GET", EXECUTIONS, "executions.list", 200, "List executions, without their payloads"),
  route("GET", `${EXECUTIONS}/stats`, "executions.stats", 200, "Count executions and measure their durations"),
  route("GET", `${EXECUTIONS}/:id`, "executions.get", 200, "Read an execution with its input and output"),
  route("PATCH", `${EXECUTIONS}/:id`, "executions.update", 200, "Change the labels and the note of an execution"),
  route("GET", `${EXECUTIONS}/:id/logs`, "executions.logs", 200, "Read the log of an execution, oldest entry first"),
  route("GET", `${EXECUTIONS}/:id/steps`, "executions.steps", 200, "List the steps of an execution, or items of a map"),
  route("GET", `${EXECUTIONS}/:id/output`, "executions.output", 200, "Read the output of one step", {
    immutable: "once-ended",
  }),
  route("GET", `${EXECUTIONS}/:id/search`, "executions.search", 200, "Find a text in the values of an execution"),
  route("GET", `${EXECUTIONS}/:id/compare/:other`, "executions.compare", 200, "Compare two executions"),
  route(
    "GET",
    `${EXECUTIONS}/:id/logs/:seq`,
    "executions.logEntry",
    200,
    "Read one entry of the log with its payloads",
    {
      immutable: "always",
    },
  ),
  route("PATCH", `${EXECUTIONS}/:id/respond`, "executions.respond", 200, "Answer a suspended execution", {
    errors: ["execution_not_suspended"],
    role: "editor",
  }),
  route("POST", `${EXECUTIONS}/:id/files`, "executions.files.add", 201, "Upload a file for an answer", {
    upload,
    errors: ["execution_not_suspended", "limit_reached"],
    role: "editor",
  }),
  route("PATCH", `${EXECUTIONS}/:id/approve`, "executions.approve", 200, "Approve a suspended execution", {
    errors: ["execution_not_suspended"],
    role: "editor",
  }),
  route("DELETE", `${EXECUTIONS}/:id`, "executions.cancel", 204, "Cancel an execution", {
    errors: ["execution_finished", "execution_not_removable", "conflict"],
  }),
  route("POST", `${EXECUTIONS}/bulk`, "executions.bulk.start", 202, "Cancel, retry or delete many executions", {
    errors: ["limit_reached"],
  }),
  route("GET", `${EXECUTIONS}/bulk/:id`, "executions.bulk.get", 200, "Read a bulk job"),
  route("DELETE", `${EXECUTIONS}/bulk/:id`, "executions.bulk.cancel", 204, "Cancel a bulk job"),
  route(
    "GET",
    `${EXECUTIONS}/:id/retry-plan`,
    "executions.retryPlan",
    200,
    "Preview which steps a retry keeps and runs",
    {
      errors: ["workflow_trashed"],
    },
  ),
  route("POST", `${EXECUTIONS}/:id/retry`, "executions.retry", 201, "Retry an execution", {
    errors: ["execution_not_retryable", "workflow_trashed", "execution_key_taken", "quota_exceeded"],
  }),
];
