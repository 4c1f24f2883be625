import { type Flow, hasRun, isKnown, listOf, type Place, stepPlace } from "./flow.ts";

/** What comes back to a loop in one turn. */
export interface Turn {
  flow: Flow;
  /** It is the output of the last step as it is, on each way through the turn. */
  isRaw: boolean;
  warnings: string[];
}

/** A way back to the loop: what it carries, and the output of its last step. */
interface Way {
  flow: Flow;
  step: Place;
}

const AT_ONCE =
  "Several nodes lead back to it at the same time. n8n takes the next batch for each of them. Here a turn ends once, with the items of all.";

/** `flow` is what the ways carry together; undefined where several of them are taken in one turn. */
export function turnOf(name: string, ways: readonly Way[], flow: Flow | undefined): Turn {
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
 * The value of a step at the end of all ways through a turn, which makes the items of n8n of what the turn gives.
 * Undefined where the last steps give them by themselves. A turn that can end before it comes back gives a list, which is
 * empty then.
 */
export function valueOfTurn({ flow, isRaw }: Turn, canEndBefore: boolean): string | undefined {
  if (!isKnown(flow) || (isRaw && !canEndBefore)) return undefined;
  if (!flow.list && !canEndBefore) return `{{ ${flow.jsonata} }}`;
  const items = flow.list ? flow.jsonata : listOf([flow]).jsonata;
  return canEndBefore && flow.guard ? `{{ ${flow.guard.jsonata} ? ${items} : [] }}` : `{{ ${items} }}`;
}

/** The items that came back to a loop, turn after turn. A turn may give a list of them. */
export function givenBy({ flow }: Turn, id: string): Flow {
  if (!isKnown(flow)) return flow;
  const { jsonata, js } = stepPlace(id);
  return { jsonata: `([${jsonata}.$])`, js: `${js}?.flat()`, guard: hasRun(id), list: true };
}
