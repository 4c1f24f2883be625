import { call } from "../../../contracts/call.ts";
import type { ServiceBroker } from "moleculer";
import { ExpressionError, type Scope } from "../../../adapters/expressions/index.ts";
import type { Template } from "../../../core/expressions/template.ts";
import type { TemplateUses } from "../../../core/expressions/template-uses.ts";
import type { SpaceAddress } from "./credentials.ts";
import { callFailure } from "./steps/call-failure.ts";
import { type Secrets, StepFailure } from "./steps/secrets.ts";

interface Sources {
  broker: ServiceBroker;
  secrets: Secrets;
}

/** The values of the fields that a template names. @throws {StepFailure} */
async function secretsOf({ secrets: named }: TemplateUses, secrets: Secrets): Promise<Required<Scope>["secrets"]> {
  const values: Record<string, Record<string, unknown>> = {};
  for (const name of new Set(named.map(one => one.name))) values[name] = await secrets.fieldsOf(name);
  for (const { name, field, path } of named) {
    if (typeof values[name]?.[field] !== "string")
      throw new ExpressionError("expression_error", `The credential "${name}" has no field "${field}".`, path);
  }
  return values;
}

/** The variables of the space. @throws {ExpressionError} when a template names one that does not exist */
export async function variablesFor(
  uses: TemplateUses,
  { workspaceId, spaceId }: SpaceAddress,
  broker: ServiceBroker,
): Promise<Record<string, unknown>> {
  const { values } = await call(broker, "variables.read", { workspaceId, spaceId });
  const missing = uses.vars.find(({ name }) => !Object.hasOwn(values, name));
  if (missing)
    throw new ExpressionError("unknown_variable", `The space has no variable "${missing.name}".`, missing.path);
  return values;
}

function asStepFailure(error: unknown): never {
  if (error instanceof ExpressionError) throw error;
  const { code, message, retryable } = callFailure(error, "The variables service");
  throw new StepFailure(code, message, retryable);
}

/** The scope for a template that reads data from outside of the run; the given scope if it reads none. */
export function scopeFor(
  { uses }: Template,
  scope: Scope,
  place: SpaceAddress,
  sources: Sources,
): Scope | Promise<Scope> {
  if (!uses) return scope;
  return (async () => ({
    ...scope,
    ...(uses.readsVars && { vars: await variablesFor(uses, place, sources.broker).catch(asStepFailure) }),
    ...(uses.secrets.length > 0 && { secrets: await secretsOf(uses, sources.secrets) }),
  }))();
}
