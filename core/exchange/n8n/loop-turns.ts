import { type Flow, hasRun, isKnown, listOf, type Expressions, stepPlace } from "./flow.ts";

/** What one turn brings back to a loop. */
export interface LoopResult {
  flow: Flow;
  /** On each way through the turn, the flow is the unchanged output of the last step. */
  isRaw: boolean;
  warnings: string[];
}

/** A way back to the loop: what it carries, and the output of its last step. */
interface Way {
  flow: Flow;
  step: Expressions;
}

const AT_ONCE =
  "Several nodes lead back to it at the same time. n8n takes the next batch for each of them. Here a turn ends once, with the items of all.";

/** `flow` is what all ways carry together; undefined if one turn takes several of them. */
export function turnOf(name: string, ways: readonly Way[], flow: Flow | undefined): LoopResult {
  const flows = ways.map(way => way.flow);
  const all = flows.filter(isKnown);
  const unknown = flows.find(one => !isKnown(one)) ?? flow;
  if (unknown && !isKnown(unknown)) {
    const why = `what comes back to the loop "${name}" is not known: ${unknown.why}`;
    const warning = `Its output has what the last steps of each turn gave, not the items of n8n: ${why}.`;
    return { flow: { why }, isRaw: false, warnings: [warning] };
  }
  if (!flow) return { flow: { ...listOf(all), guard: null, list: true }, isRaw: false, warnings: [AT_ONCE] };
  const isRaw = ways.every(way => isKnown(way.flow) && !way.flow.list && way.flow.jsonata === way.step.jsonata);
  return { flow, isRaw, warnings: [] };
}

/**
 * The value of a step at the end of all ways through a turn. It converts the turn's result to n8n's items. Undefined if
 * the last steps already yield them. If a turn can end before it returns, the value is a list, which is then empty.
 */
export function valueOfTurn({ flow, isRaw }: LoopResult, canEndBefore: boolean): string | undefined {
  if (!isKnown(flow) || (isRaw && !canEndBefore)) return undefined;
  if (!flow.list && !canEndBefore) return `{{ ${flow.jsonata} }}`;
  const items = flow.list ? flow.jsonata : listOf([flow]).jsonata;
  return canEndBefore && flow.guard ? `{{ ${flow.guard.jsonata} ? ${items} : [] }}` : `{{ ${items} }}`;
}

/** The items that returned to a loop, turn after turn. A turn may return a list of them. */
export function givenBy({ flow }: LoopResult, id: string): Flow {
  if (!isKnown(flow)) return flow;
  const { jsonata, js } = stepPlace(id);
  return { jsonata: `([${jsonata}.$])`, js: `${js}?.flat()`, guard: hasRun(id), list: true };
}
