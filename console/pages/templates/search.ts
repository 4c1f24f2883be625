import { type Search, textIn } from "../../search.ts";

export interface TemplatesSearch {
  q?: string | undefined;
  /** The selected category. */
  c?: string | undefined;
  /** The selected tag. */
  t?: string | undefined;
  /** `nothing`: only templates that need nothing besides Weft. */
  needs?: "nothing" | undefined;
  /** The space for the new workflow, if it is not the default one. */
  s?: string | undefined;
}

export const templatesSearch = (search: Search): TemplatesSearch => ({
  q: textIn(search, "q"),
  c: textIn(search, "c"),
  t: textIn(search, "t"),
  needs: search.needs === "nothing" ? "nothing" : undefined,
  s: textIn(search, "s"),
});
