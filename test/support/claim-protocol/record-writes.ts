import { CheckedStore } from "../../../adapters/store/checked-store.ts";
import type { Collection, CollectionSpec, Doc } from "../../../adapters/store/port.ts";

type Json = Record<string, unknown>;
const FIELDS = ["status", "queued", "workerId", "lost", "wakeAt", "inbox", "inboxed", "cancelling"];

/** The kind of a value that differs from run to run. */
function kindOf(field: string, value: unknown): unknown {
  if (value === null) return null;
  if (typeof value === "object" && !Array.isArray(value) && !(value instanceof Date)) {
    // In the model, every time may be over at any moment.
    if ("$lte" in value) return { $exists: true };
    const { $exists, ...others } = value as Json;
    const operators = Object.entries(others).map(([name, operand]) => [name, kindOf(field, operand)]);
    return { ...($exists !== undefined && { $exists }), ...Object.fromEntries(operators) };
  }
  if (typeof value === "boolean" && field !== "wakeAt") return value;
  if (field === "status") return value;
  if (field === "inboxed") return value;
  return field;
}

const partOf = (part: Json = {}): Json =>
  Object.fromEntries(FIELDS.filter(f => f in part).map(field => [field, kindOf(field, part[field])]));

/** The decisive parts of a write, for comparison. Null if the write is not part of the protocol. */
export function shapeOf(filter: object, change: { $set?: object; $unset?: object }): string | null {
  const set = partOf(change.$set as Json);
  const unset = Object.keys(change.$unset ?? {}).filter(field => FIELDS.includes(field));
  if (Object.keys(set).length + unset.length === 0) return null;
  return JSON.stringify({ filter: partOf(filter as Json), set, unset: unset.sort() });
}

/** Records all changes of this collection from now on, in any store of this process. */
export function recordWrites(name: string): Set<string> {
  const shapes = new Set<string>();
  const note = (filter: object, change: object) => {
    const shape = shapeOf(filter, change);
    if (shape !== null) shapes.add(shape);
  };
  const watched = <T extends object>(on: T): T =>
    new Proxy(on, {
      get(target, method) {
        const value = Reflect.get(target, method) as unknown;
        if (method === "ops") return watched(value as object);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          if (String(method).startsWith("update")) note(given[0] as object, given[1] as object);
          return Reflect.apply(value, target, given) as unknown;
        };
      },
    });
  for (const way of ["tenant", "acrossTenants"] as const) {
    const original = Reflect.get(CheckedStore.prototype, way) as (...given: unknown[]) => Collection<Doc>;
    jest.spyOn(CheckedStore.prototype, way).mockImplementation(function (this: CheckedStore, ...given: unknown[]) {
      const collection = Reflect.apply(original, this, given);
      return (given[0] as CollectionSpec).name === name ? watched(collection) : collection;
    });
  }
  return shapes;
}
