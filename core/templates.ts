import type { Template } from "../contracts/entities/template.ts";
import type { Page } from "../contracts/primitives.ts";

export interface TemplateQuery {
  search?: string | undefined;
  q?: string | undefined;
  category?: string | undefined;
  /** Tags, separated by commas. */
  tags?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

const normalize = (text: string) => text.normalize("NFKC").toLowerCase();

function matches({ name, category, tags }: Template, query: TemplateQuery): boolean {
  const parts = [query.search, query.q].filter(part => part !== undefined);
  const wanted = (query.tags ?? "").split(",").map(tag => normalize(tag.trim()));
  return (
    parts.every(part => normalize(name).includes(normalize(part.trim()))) &&
    (query.category === undefined || category === normalize(query.category)) &&
    wanted.every(tag => tag === "" || tags.includes(tag))
  );
}

/**
 * The matching templates after the cursor, which is the id of the last template seen. Null when the cursor is not the
 * id of a template.
 */
export function pageOfTemplates(all: readonly Template[], query: TemplateQuery): Page<Template> | null {
  const { limit, cursor } = query;
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1;
  if (cursor !== undefined && start === 0) return null;
  const found = all.slice(start).filter(template => matches(template, query));
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
