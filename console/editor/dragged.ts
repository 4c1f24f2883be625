import type { ValuePath } from "./insertion.ts";

/** The type under which a path is dragged from a sample into a field: JSON, a list of names and indexes. */
export const PATH_TYPE = "application/x-weft-path";

/** The path in what is dragged; undefined for anything else. */
export function draggedPath(data: DataTransfer | null): ValuePath | undefined {
  try {
    const path: unknown = JSON.parse(data?.getData(PATH_TYPE) ?? "");
    return Array.isArray(path) ? (path as ValuePath) : undefined;
  } catch {
    return undefined;
  }
}
