import { compileTemplates, ExpressionError, type Scope, type Template } from "../../../adapters/expressions/index.ts";
import { call, handle } from "../../../contracts/call.ts";
import type { Previewed, PreviewFault } from "../../../contracts/entities/preview.ts";
import { faultSpan } from "../../../core/expressions/fault-span.ts";
import { needsOf, type Needs } from "../../../core/expressions/needs.ts";
import { parseBudget } from "../../../core/expressions/parse.ts";
import { hiddenSecrets } from "../../../core/expressions/secret-path.ts";
import { SECRET_FORM } from "../../../core/graph/check-secrets.ts";
import { shorten } from "../../../core/shorten.ts";
import { loadScope } from "../engine/load-scope.ts";
import { trialScope, triedWorkflow } from "./trial-scope.ts";
import type { ExecutionsService } from "../upkeep/service.ts";

/** The time for all values together. It is also the limit for the expressions of one step. */
const MAX_MS = 10_000;
/** Added to the limit, for reading the run and answering. */
const MARGIN_MS = 10_000;
/** The size of one value, and of all together, as JSON. */
const MAX_CHARS = { value: 16_384, all: 262_144 };
const HIDDEN = "•••";

interface Text {
  pointer: string;
  text: string;
  template: Template;
}

const typeOf = (value: unknown): Previewed["type"] => {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : (typeof value as "boolean" | "number" | "string" | "object");
};

/** What all the expressions together may read. */
function allNeeds(texts: readonly Text[]): Needs {
  const each = texts.map(({ template }) => needsOf(template.root));
  const steps = each.every(one => one.steps) ? new Set(each.flatMap(one => [...one.steps!])) : null;
  return { names: new Set(each.flatMap(({ names }) => [...names])), steps };
}

/** A fault that is known before the text is evaluated. */
function knownFault({ text, template }: Text, vars: Record<string, unknown>): PreviewFault | undefined {
  const [fault] = template.faults;
  if (fault) return { message: fault.message, ...faultSpan(text, fault.place ?? {}) };
  if (template.uses?.misusedSecrets.length) return { message: SECRET_FORM, ...faultSpan(text, {}) };
  const missing = template.uses?.vars.find(({ name }) => !Object.hasOwn(vars, name));
  if (!missing) return undefined;
  const at = text.indexOf(`vars.${missing.name}`);
  const span = at < 0 ? faultSpan(text, {}) : { from: at, to: at + missing.name.length + 5 };
  return { message: `The space has no variable "${missing.name}".`, ...span };
}

/** Evaluates texts one after another, within limits for all of them together. */
class Preview {
  readonly #service: ExecutionsService;
  readonly #workspaceId: string;
  readonly #until = performance.now() + MAX_MS;
  #chars = MAX_CHARS.all;

  constructor(service: ExecutionsService, workspaceId: string) {
    this.#service = service;
    this.#workspaceId = workspaceId;
  }

  async of(text: Text, scope: Scope, vars: Record<string, unknown>): Promise<Previewed> {
    const { pointer } = text;
    const fault = knownFault(text, vars) ?? this.#late(text);
    const nothing = { pointer, value: null, type: "null" as const, truncated: false };
    if (fault) return { ...nothing, faults: [fault] };
    try {
      const found =
        (await this.#resolve(text, {
          ...scope,
          vars,
          secrets: hiddenSecrets(text.template.uses?.secrets ?? [], HIDDEN),
        })) ?? null;
      const { value, truncated, chars } = shorten(found, Math.min(MAX_CHARS.value, this.#chars));
      this.#chars = Math.max(0, this.#chars - chars);
      return { pointer, value, type: typeOf(found), truncated, faults: [] };
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      return { ...nothing, faults: [{ message: error.reason, ...faultSpan(text.text, error.place) }] };
    }
  }

  #late({ text }: Text): PreviewFault | undefined {
    if (performance.now() < this.#until) return undefined;
    return { message: `All values together took longer than ${MAX_MS} ms.`, from: 0, to: text.length };
  }

  async #resolve({ template }: Text, scope: Scope): Promise<unknown> {
    const { values, expressions } = this.#service;
    const loaded = await loadScope(values, this.#workspaceId, template, scope);
    return expressions.resolve(template, loaded, { group: this.#workspaceId });
  }
}

/** Shows what texts with expressions give, as a step would compute them. Secrets are neither read nor shown. */
export const previewValues = handle<"executions.preview", ExecutionsService>(
  "executions.preview",
  async function (ctx) {
    const { workspaceId, spaceId, id: workflowId, values, scope: from } = ctx.params;
    const tried = { workspaceId, spaceId, workflowId };
    const budget = parseBudget();
    const texts = Object.entries(values).map(([pointer, text]) => ({
      pointer,
      text,
      template: compileTemplates(text, budget),
    }));
    const needs = allNeeds(texts);
    const readsVars = texts.some(({ template }) => template.uses?.readsVars);
    const [workflow, seen, { values: vars }] = await Promise.all([
      triedWorkflow(this, tried),
      trialScope(this, tried, { source: from, given: from, needs }),
      readsVars ? call(ctx, "variables.read", { workspaceId, spaceId }) : { values: {} },
    ]);
    const preview = new Preview(this, workspaceId);
    const shown: Previewed[] = [];
    for (const text of texts) shown.push(await preview.of(text, { ...seen, workflow }, vars));
    return shown;
  },
  { timeout: MAX_MS + MARGIN_MS },
);
