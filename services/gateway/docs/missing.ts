import type { PageContent } from "./layout.ts";

/** Says that the documentation has no such page. The navigation and the search around it lead on. */
export const MISSING_PAGE: PageContent = {
  path: "",
  title: "Not found",
  html: `<h1>Not found</h1>
<p>The documentation has no page at this address. It may have moved: search for it, or <a href="/docs">start at the first page</a>.</p>`,
  headings: [],
};
