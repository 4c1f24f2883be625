import type { KnowledgeEntry } from "../../data/knowledge.ts";
import { words } from "../../messages/en-knowledge.ts";

/** The file and page from which an entry was imported, according to its metadata. Empty if a person wrote the entry. */
export function sourceOf({ metadata: { source, page } }: Pick<KnowledgeEntry, "metadata">): string {
  if (typeof source !== "string") return "";
  return typeof page === "number" ? `${source}, ${words.entry.page(String(page))}` : source;
}
