import type { ValuePath } from "./insertion.ts";

/** The media type of a path that is dragged from a sample into a field: a JSON list of names and indexes. */
export const PATH_TYPE = "application/x-weft-path";

/** The path in the dragged data. Undefined if there is none. */
export function draggedPath(data: DataTransfer | null): ValuePath | undefined {
  try {
    const path: unknown = JSON.parse(data?.getData(PATH_TYPE) ?? "");
    return Array.isArray(path) ? (path as ValuePath) : undefined;
  } catch {
    return undefined;
  }
}
