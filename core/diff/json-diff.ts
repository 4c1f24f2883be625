import type { Change } from "../../contracts/entities/workflow-diff.ts";
import { pointerToken } from "../../contracts/json-pointer.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { JsonIdentity } from "./json-identity.ts";

/** Bounds how much of a difference an answer shows. Changes beyond the budget are left out, and `truncated` is set. */
export class DiffBudget {
  truncated = false;
  #left: number;

  /** `chars` is the approximate length of everything that is shown, as JSON. */
  constructor(chars: number) {
    this.#left = chars;
  }

  /** Whether these values and `beside` further characters fit into the budget. Subtracts them from it. */
  take(values: unknown[], beside = 0): boolean {
    if (this.#left > 0) {
      this.#left -= beside + values.reduce<number>((sum, value) => sum + (JSON.stringify(value)?.length ?? 0), 0);
      if (this.#left >= 0) return true;
    }
    this.truncated = true;
    return false;
  }
}

/** The names of a change's fields, and the braces around it. */
const CHANGE_CHARS = 50;

/**
 * The changes that turn `from` into `to`, in an order in which they can be applied. Lists are compared position by
 * position between their common beginning and their common end.
 */
export function diffJson(from: unknown, to: unknown, identity: JsonIdentity, budget: DiffBudget, path = ""): Change[] {
  const changes: Change[] = [];
  const note = (change: Change) => {
    if (budget.take([change.from, change.to], change.path.length + CHANGE_CHARS)) changes.push(change);
  };

  const walkObjects = (a: JsonObject, b: JsonObject, at: string) => {
    for (const key in a) {
      if (budget.truncated) return;
      const below = `${at}/${pointerToken(key)}`;
      if (Object.hasOwn(b, key)) walk(a[key], b[key], below);
      else note({ op: "remove", path: below, from: a[key] });
    }
    for (const key in b) {
      if (budget.truncated) return;
      if (!Object.hasOwn(a, key)) note({ op: "add", path: `${at}/${pointerToken(key)}`, to: b[key] });
    }
  };

  const walkLists = (a: unknown[], b: unknown[], at: string) => {
    const same = (i: number, j: number) => identity.of(a[i]) === identity.of(b[j]);
    const shorter = Math.min(a.length, b.length);
    let start = 0;
    while (start < shorter && same(start, start)) start++;
    let end = 0;
    while (end < shorter - start && same(a.length - 1 - end, b.length - 1 - end)) end++;
    const both = shorter - end;
    for (let i = start; i < both && !budget.truncated; i++) walk(a[i], b[i], `${at}/${i}`);
    for (let i = a.length - end - 1; i >= both; i--) note({ op: "remove", path: `${at}/${i}`, from: a[i] });
    for (let i = both; i < b.length - end; i++) note({ op: "add", path: `${at}/${i}`, to: b[i] });
  };

  const walk = (a: unknown, b: unknown, at: string) => {
    if (budget.truncated || identity.of(a) === identity.of(b)) return;
    if (isObject(a) && isObject(b)) walkObjects(a, b, at);
    else if (Array.isArray(a) && Array.isArray(b)) walkLists(a, b, at);
    else note({ op: "replace", path: at, from: a, to: b });
  };

  walk(from, to, path);
  return changes;
}
