import { ExpressionError, type Scope } from "../../../adapters/expressions/index.ts";
import { labelValue, type Labels, MAX_RUN_KEY, type OnConflict } from "../../../contracts/entities/run-identity.ts";
import type { Trigger } from "../../../contracts/entities/execution.ts";
import { AppError, type Fault } from "../../../contracts/errors.ts";
import { isObject } from "../../../core/json.ts";
import { variablesFor } from "../engine/step-scope.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

interface Wanted {
  workspaceId: string;
  spaceId: string;
  workflowId: string;
  workflowVersion: number;
  input: unknown;
  trigger: Trigger;
  context?: Record<string, unknown> | undefined;
}

export interface RunIdentity {
  key?: string | undefined;
  labels?: Labels | undefined;
  onConflict: OnConflict;
}

const refuse = (errors: Fault[]): never => {
  throw new AppError("validation_failed", { errors });
};

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Reads the key and the labels that the settings of the workflow computed. Empty texts and null count as absent. */
function read({ key, labels }: { key?: unknown; labels?: unknown }): Pick<RunIdentity, "key" | "labels"> {
  const faults: Fault[] = [];
  const isGiven = (value: unknown) => value !== undefined && value !== null && value !== "";
  const name = isGiven(key) ? textOf(key) : undefined;
  if (name !== undefined && name.length > MAX_RUN_KEY)
    faults.push({
      path: "/key",
      message: `The expression \`settings.key\` gives a key of more than ${MAX_RUN_KEY} characters.`,
    });
  const given = Object.entries(isObject(labels) ? labels : {}).filter(([, value]) => isGiven(value));
  const found = Object.fromEntries(given.map(([label, value]) => [label, textOf(value)]));
  for (const [label, value] of Object.entries(found))
    if (!labelValue.safeParse(value).success)
      faults.push({
        path: `/labels/${label}`,
        message: "An expression of `settings.labels` gives a label of more than 200 characters.",
      });
  if (faults.length > 0) refuse(faults);
  return { key: name, labels: found };
}

/**
 * The key and the labels of a new run: those that its caller gives, else those that the workflow's settings compute.
 * @throws {AppError} validation_failed when the settings give none for this input, unavailable when too much waits
 */
export async function identityOf(
  { engine, expressions, broker }: ExecutionsService,
  wanted: Wanted,
  given: { key?: string | undefined; labels?: Labels | undefined; onConflict?: OnConflict | undefined } = {},
): Promise<RunIdentity> {
  const { workspaceId, workflowId, workflowVersion, input, trigger, context } = wanted;
  const { parsed, name } = await engine.definitions.get(workspaceId, workflowId, workflowVersion);
  const { identity, onConflict = "return" } = parsed.graph?.settings ?? {};
  if (!identity) return { onConflict, ...given };
  try {
    const vars = identity.uses?.readsVars ? await variablesFor(identity.uses, wanted, broker) : undefined;
    const workflow = { id: workflowId, name, version: workflowVersion };
    const scope: Scope = { input, steps: {}, trigger: { ...context, ...trigger }, workflow, vars };
    const value = await expressions.resolve(identity, scope, { group: workspaceId });
    const { key, labels } = read(value as { key?: unknown; labels?: unknown });
    return {
      onConflict: given.onConflict ?? onConflict,
      key: given.key ?? key,
      labels: { ...labels, ...given.labels },
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (error.code === "expression_busy") throw new AppError("unavailable", { detail: error.message });
    return refuse([{ path: error.path || "/key", message: `The workflow's settings: ${error.reason}` }]);
  }
}
