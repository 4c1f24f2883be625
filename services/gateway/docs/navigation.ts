import { linkedFile, pagePathOf } from "./links.ts";

export interface NavigationPage {
  path: string;
  title: string;
  /** The index's description of the page. */
  summary: string;
  /** The Markdown file of the page, relative to the project's root. Generated pages have none. */
  file?: string;
}

export interface NavigationGroup {
  title: string;
  pages: NavigationPage[];
}

const ITEM = /^- \[(.+?)\]\(([^)#]+\.md)\)(?:: (.+))?$/;

/** The pages that an index lists, by its headings. No other files are read. */
export function navigationOf(index: string, source: string): NavigationGroup[] {
  const groups: NavigationGroup[] = [];
  for (const line of source.split("\n")) {
    if (line.startsWith("#")) groups.push({ title: line.replace(/^#+ /, ""), pages: [] });
    const [, title, target, summary = ""] = ITEM.exec(line) ?? [];
    if (title === undefined || target === undefined) continue;
    const file = linkedFile(index, target);
    groups.at(-1)?.pages.push({ path: pagePathOf(file), title: title.replaceAll("`", ""), summary, file });
  }
  return groups.filter(({ pages }) => pages.length > 0);
}
