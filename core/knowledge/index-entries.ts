import type { Payload, Scalar } from "../search/payload.ts";
import { chunksOf } from "./chunks.ts";

/** The most metadata values of an entry that filters can use. */
export const MAX_FILTERED = 48;
const MAX_DEPTH = 4;
const MAX_KEY_CHARS = 128;
const MAX_VALUE_CHARS = 1_024;
const MAX_ITEMS = 100;

/** The prefix of metadata keys in the index and in filters. */
export const METADATA = "metadata.";

export interface SourceEntry {
  id: string;
  knowledgeBaseId: string;
  content: string;
  metadata: Record<string, unknown>;
}

/** The entry that a passage in the index belongs to, and its position there. */
export function placeOf(passageId: string): { entryId: string; place: number } {
  const [entryId = "", place] = passageId.split(":");
  return { entryId, place: Number(place) };
}

/** One passage of an entry, as the index stores it. */
export interface IndexEntry {
  id: string;
  text: string;
  payload: Payload;
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.length <= MAX_VALUE_CHARS && value.isWellFormed();

function filterable(value: unknown): Scalar | string[] | undefined {
  if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value)) || isText(value))
    return value;
  return Array.isArray(value) ? value.filter(isText).slice(0, MAX_ITEMS) : undefined;
}

/**
 * The metadata that filters can use: the first short values and lists of texts, with keys such as
 * `metadata.author.name`.
 */
export function filterableOf(metadata: Record<string, unknown>): Record<string, Scalar | string[]> {
  const found: Record<string, Scalar | string[]> = {};
  let left = MAX_FILTERED;
  const walk = (values: Record<string, unknown>, prefix: string, depth: number) => {
    for (const [name, value] of Object.entries(values)) {
      if (left === 0) return;
      const key = prefix + name;
      if (key.length > MAX_KEY_CHARS || !key.isWellFormed()) continue;
      const kept = filterable(value);
      if (kept !== undefined) {
        found[key] = kept;
        left--;
      } else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
        walk(value as Record<string, unknown>, `${key}.`, depth + 1);
      }
    }
  };
  walk(metadata, METADATA, 1);
  return found;
}

/** The most filterable values of the passages that are indexed together. Each passage has those of its entry. */
const MAX_VALUES_AT_ONCE = 25_000;
const MAX_AT_ONCE = 500;

/** The number of passages of an entry that are indexed together. */
export function passagesAtOnce([first]: readonly IndexEntry[]): number {
  const counts = Object.values(first?.payload ?? {}).map(value => (typeof value === "object" ? value.length : 1));
  const values = counts.reduce((sum, count) => sum + count, 1);
  return Math.min(MAX_AT_ONCE, Math.max(1, Math.floor(MAX_VALUES_AT_ONCE / values)));
}

/** Splits an entry into searchable passages with their offsets. */
export function indexEntriesOf({ id, knowledgeBaseId, content, metadata }: SourceEntry): IndexEntry[] {
  const filters = filterableOf(metadata);
  return chunksOf(content).map(({ start, end }, place) => ({
    id: `${id}:${place}`,
    text: content.slice(start, end),
    payload: { ...filters, base: knowledgeBaseId, entry: id, place, start, end },
  }));
}
