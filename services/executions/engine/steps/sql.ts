import { buffer } from "node:stream/consumers";
import { placeUrl } from "../../../../adapters/net/guarded-connect.ts";
import type { SqlPlace } from "../../../../adapters/sql/pools.ts";
import { SqlError, type SqlOutput, type SqlStatement, type SqlWork } from "../../../../adapters/sql/port.ts";
import { config } from "../../../../config.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import type { StepResult } from "../../../../core/run/entry.ts";
import { fileOf } from "../../../../core/run/references.ts";
import { MAX_OUTPUT_CHARS } from "../../../../core/run/step-limits.ts";
import { BodyError } from "../../../../core/http-body.ts";
import { bytesOf, locateFile } from "./http-files.ts";
import { failedBy } from "./failed-by.ts";
import { openTyped } from "./secrets.ts";
import { done, failed, type Perform, type StepContext, timeoutOf } from "./step.ts";

type Data = DataOf<"sql">;
type Result = Extract<StepResult, { kind: "failed" }>;

/** The state of a step's statements, according to its last record. */
type Phase = "sent" | "settled";

/** The most bytes of all files that are parameters of one step. */
const MAX_FILE_PARAMETERS = 16 * 1_048_576;
/** The statements end this long before the step's time limit. */
const MARGIN_MS = 500;
/** The SQLSTATE of a statement that writes in a transaction that only reads. */
const READ_ONLY = "25006";

async function serverOf({ secrets, doc }: StepContext, id: string): Promise<Omit<SqlPlace, "waitMs">> {
  const { type, data: server } = await openTyped(secrets, id, "postgres", "mysql");
  secrets.check(placeUrl(server.host, server.port));
  return { id, workspaceId: doc.workspaceId, kind: type, server, group: doc.id };
}

/**
 * Replaces files by their bytes.
 * @throws {BodyError} when one does not exist, or all together are too large
 */
async function bound(parameters: readonly unknown[], path: string, context: StepContext): Promise<unknown[]> {
  let bytes = 0;
  const values: unknown[] = [];
  for (const [at, value] of parameters.entries()) {
    const id = fileOf(value);
    if (id === undefined) {
      values.push(value);
      continue;
    }
    const located = await locateFile(context, id, `${path}/${at}`);
    bytes += located.size;
    if (bytes > MAX_FILE_PARAMETERS) throw new BodyError(`${path}: the files are larger than 16 MiB together.`);
    values.push(await buffer(bytesOf(context, located)));
  }
  return values;
}

async function statementsOf(
  { query, parameters, mode, statements }: Data,
  context: StepContext,
): Promise<SqlStatement[]> {
  const given = statements ?? [{ query: query ?? "", parameters, mode }];
  const made: SqlStatement[] = [];
  for (const [at, one] of given.entries()) {
    const path = statements ? `/data/statements/${at}/parameters` : "/data/parameters";
    made.push({ text: one.query, values: await bound(one.parameters, path, context), mode: one.mode });
  }
  return made;
}

const record = (context: StepContext, phase: Phase, message: string) => context.record({ message, output: { phase } });

const wasCutOff = ({ records }: StepContext) =>
  (records.at(-1)?.output as { phase?: Phase } | undefined)?.phase === "sent";

const unknownOutcome = (why: string) =>
  failed(
    "unknown_outcome",
    `${why} Whether the statements were performed is not known. Look before you retry the run; ` +
      "a step whose statements may be repeated says `idempotent: true`.",
    false,
  );

/** Converts a database error into the result of the step. */
async function failureOf(error: SqlError, mayRepeat: boolean, context: StepContext): Promise<StepResult> {
  const { code, message, retryable, lost, begun, details } = error;
  // When the time limit or a stop ends an attempt, the outcome of its statements stays unknown.
  if (begun && !mayRepeat && !context.signal.aborted) {
    // When a user retries the run, the statements are performed again.
    await record(context, "settled", lost ? "The outcome is not known." : "The transaction was rolled back.");
    if (lost) return unknownOutcome(message);
  }
  const shown: Result = { kind: "failed", error: { code, message }, retryable };
  return Object.keys(details).length === 0 ? shown : { ...shown, error: { code, message, details } };
}

async function query(data: Data, context: StepContext): Promise<StepResult> {
  const { parts, policy, signal, dry } = context;
  const isTest = dry === "all";
  const readOnly = data.readOnly || isTest;
  const mayRepeat = readOnly || data.idempotent;
  const endsAt = Date.now() + timeoutOf(policy) - MARGIN_MS;
  if (!mayRepeat && wasCutOff(context)) {
    await record(context, "settled", "The outcome is not known.");
    return unknownOutcome("The step was cut off.");
  }
  const place = await serverOf(context, data.credential);
  const work: SqlWork = {
    statements: await statementsOf(data, context),
    readOnly,
    maxRows: data.maxRows,
    maxBytes: dry ? MAX_OUTPUT_CHARS : config().MAX_OUTPUT_BYTES,
    get timeoutMs() {
      return Math.max(1, Math.min(data.timeoutMs ?? Infinity, endsAt - Date.now()));
    },
    begun: () => (mayRepeat ? Promise.resolve() : record(context, "sent", "The statements are sent.")),
    signal,
  };
  try {
    const outputs: SqlOutput[] = await parts.databases.run(
      { ...place, waitMs: Math.max(1, endsAt - Date.now()) },
      work,
    );
    return done(data.statements ? { results: outputs } : outputs[0]);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    if (isTest && !data.readOnly && error.details.sqlState === READ_ONLY) {
      context.log({ level: "info", message: "The statements are not performed, since they write: this is a test." });
      return done(null);
    }
    return failureOf(error, mayRepeat, context);
  }
}

/**
 * Performs the statements as one transaction. The step records that before it sends them. An interrupted step repeats
 * them only if that is safe.
 */
export const sql: Perform<"sql"> = async (data, context) => {
  try {
    return await query(data, context);
  } catch (error) {
    return failedBy(error);
  }
};
