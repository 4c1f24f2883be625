import type { ScopeName } from "./scope.ts";
import type { TemplateNode } from "./template-node.ts";
import { expressionsOf } from "./template-uses.ts";

/** What the expressions of a template may read. `steps` is null if the text does not show which steps. */
export interface Needs {
  names: ReadonlySet<ScopeName>;
  steps: ReadonlySet<string> | null;
}

const NAMED_STEP = /\bsteps\s*\.\s*(?:([A-Za-z_]\w*)|`([^`]*)`)/g;

/** Finds the parts of the scope that a template needs, so that nothing else has to be loaded. */
export function needsOf(root: TemplateNode): Needs {
  const names = new Set<ScopeName>();
  let steps: Set<string> | null = new Set();
  for (const { expression } of expressionsOf(root)) {
    const { source, names: own } = expression;
    for (const name of own) names.add(name);
    if (!own.includes("steps")) continue;
    const rest = source.replace(NAMED_STEP, (_, plain?: string, quoted?: string) => {
      steps?.add(plain ?? quoted ?? "");
      return "";
    });
    // `steps` is read as a whole, through a variable, or without its name.
    if (rest === source || /steps/.test(rest)) steps = null;
  }
  return { names, steps };
}
