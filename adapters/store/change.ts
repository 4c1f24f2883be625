import { InvalidChangeError, InvalidDocumentError, TenancyError } from "./errors.ts";
import { checkBranch, checkRequired, checkSize, checkValue, jsonText } from "./document.ts";
import { isField, type Branch, type Field } from "./fields.ts";
import { isPlain } from "./filter.ts";
import type { Layout } from "./layout.ts";

type Path = readonly string[];

/** A validated change. Fields of free-form JSON are texts, and are listed separately. */
export interface CheckedChange {
  readonly set: readonly (readonly [Path, unknown])[];
  readonly unset: readonly Path[];
  readonly inc: readonly (readonly [Path, number])[];
  readonly push: readonly (readonly [Path, string])[];
  readonly setJson: readonly (readonly [field: string, text: string])[];
  readonly unsetJson: readonly string[];
}

/**
 * Validates a change.
 * @throws {InvalidChangeError} when the change is invalid.
 * @throws {InvalidDocumentError} when it exceeds the limits of a document.
 * @throws {TenancyError} when it would move a document to another workspace.
 */
export function checkChange(layout: Layout, change: unknown): CheckedChange {
  if (!isPlain(change)) throw new InvalidChangeError("a change is an object of operators");
  const out = {
    set: [] as [Path, unknown][],
    unset: [] as Path[],
    inc: [] as [Path, number][],
    push: [] as [Path, string][],
    setJson: [] as [string, string][],
    unsetJson: [] as string[],
  };
  const touched: string[] = [];
  for (const [operator, paths] of Object.entries(change)) {
    if (paths === undefined) continue;
    if (!isPlain(paths)) throw new InvalidChangeError(`${operator} takes an object of paths`);
    for (const [path, value] of Object.entries(paths)) {
      const { node, keys } = targetOf(layout, path);
      if (touched.some(other => overlaps(other, path))) throw new InvalidChangeError(`${path} is changed twice`);
      touched.push(path);
      if (operator === "$set") {
        if (isField(node) && node.kind === "json") out.setJson.push([path, setValue(layout, node, value) as string]);
        else out.set.push([keys, setValue(layout, node, value)]);
      } else if (operator === "$unset") {
        if (isRequired(node)) throw new InvalidChangeError(`${path} is required and cannot be unset`);
        if (isField(node) && node.kind === "json") out.unsetJson.push(path);
        else out.unset.push(keys);
      } else if (operator === "$inc") {
        if (!isField(node) || node.kind !== "number") throw new InvalidChangeError(`${path} is not a number to $inc`);
        if (typeof value !== "number" || !Number.isFinite(value))
          throw new InvalidChangeError(`${path}: $inc takes a number`);
        out.inc.push([keys, value]);
      } else if (operator === "$push") {
        if (!isField(node) || node.kind !== "strings")
          throw new InvalidChangeError(`${path} is not a list to $push to`);
        if (typeof value !== "string") throw new InvalidChangeError(`${path}: $push takes one string`);
        out.push.push([keys, value.toWellFormed()]);
      } else throw new InvalidChangeError(`${operator} is not a change of the store`);
    }
  }
  if (touched.length === 0) throw new InvalidChangeError("the change changes nothing");
  const texts = [...out.set.map(([, value]) => value), ...out.push.map(([, item]) => item)];
  checkSize(layout, texts, Object.fromEntries(out.setJson));
  return out;
}

interface Target {
  readonly node: Field | Branch;
  readonly keys: Path;
}

/** Resolved targets are cached. A layout has a limited number of them. */
const targets = new WeakMap<Layout, Map<string, Target>>();

function targetOf(layout: Layout, path: string): Target {
  const known = targets.get(layout) ?? new Map<string, Target>();
  targets.set(layout, known);
  let target = known.get(path);
  if (!target) known.set(path, (target = { node: nodeAt(layout, path), keys: path.split(".") }));
  return target;
}

function nodeAt(layout: Layout, path: string): Field | Branch {
  if (path === "id") throw new InvalidChangeError("an id never changes");
  if (layout.tenant && path === "workspaceId") throw new TenancyError("a document never changes its workspace");
  let node: Field | Branch | undefined = layout.root;
  for (const key of path.split(".")) node = node && !isField(node) ? node.children.get(key) : undefined;
  if (!node) throw new InvalidChangeError(`${layout.name}: unknown field ${path}`);
  return node;
}

function setValue(layout: Layout, node: Field | Branch, value: unknown): unknown {
  if (value === undefined) throw new InvalidChangeError(`${node.path}: $set takes no undefined; use $unset`);
  try {
    if (isField(node)) return node.kind === "json" ? jsonText(layout, node, value) : checkValue(layout, node, value);
    const branch = checkBranch(layout, node, value);
    checkRequired(layout, node, branch);
    return branch;
  } catch (error) {
    throw error instanceof InvalidDocumentError ? new InvalidChangeError(error.message) : error;
  }
}

const isRequired = (node: Field | Branch): boolean =>
  isField(node) ? node.required : [...node.children.values()].some(isRequired);

const overlaps = (a: string, b: string): boolean => a === b || isInside(a, b) || isInside(b, a);
const isInside = (a: string, b: string): boolean => a.length > b.length && a[b.length] === "." && a.startsWith(b);
