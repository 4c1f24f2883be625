import type { Scope } from "../../../adapters/expressions/index.ts";
import { needsOf, type Needs } from "../../../core/expressions/needs.ts";
import type { Template } from "../../../core/expressions/template.ts";
import type { Values } from "../store/values.ts";

const known = new WeakMap<Template, Needs>();

function needsOfOnce(template: Template): Needs {
  const found = known.get(template) ?? needsOf(template.root);
  known.set(template, found);
  return found;
}

/**
 * The scope with the large values that the expressions of a template may read. All others stay references.
 * @throws {AppError} payload_too_large when they are together too large; unavailable
 */
export async function loadScope<S extends Scope>(
  values: Values,
  workspaceId: string,
  template: Template,
  scope: S,
): Promise<S> {
  const { names, steps: wanted } = needsOfOnce(template);
  const loaded = { ...scope };
  for (const name of ["input", "item", "loop", "trigger"] as const)
    if (names.has(name) && scope[name] !== undefined) loaded[name] = await values.whole(workspaceId, scope[name]);
  if (!names.has("steps")) return loaded;
  // Node ids are chosen by users, so the object must have no prototype.
  const steps = Object.assign(Object.create(null) as Record<string, unknown>, scope.steps);
  for (const id of wanted ?? Object.keys(steps))
    if (id in steps) steps[id] = await values.whole(workspaceId, steps[id]);
  return { ...loaded, steps };
}
