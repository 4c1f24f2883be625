import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as others } from "node:timers/promises";
import { homePage } from "./home.ts";
import { type AssetPaths, type PageContent, pageHtml } from "./layout.ts";
import { renderMarkdown } from "./markdown.ts";
import { MISSING_PAGE } from "./missing.ts";
import { type NavigationGroup, navigationOf } from "./navigation.ts";
import { referenceOf } from "./reference/pages.ts";
import { type SearchEntry, searchEntries } from "./search-index.ts";

const PROJECT = join(import.meta.dirname, "../../..");
const ASSETS = join(import.meta.dirname, "assets");

/** A complete file of the site, ready to be sent. */
export interface SiteFile {
  type: string;
  body: Buffer;
  etag: string;
  /** The path changes with the content, so the file can be cached forever. */
  immutable: boolean;
}

export interface Site {
  /** Every path that the site serves. A request looks its path up and reads no file. */
  files: ReadonlyMap<string, SiteFile>;
  /** The page for every other path. */
  missing: SiteFile;
}

const hashOf = (body: Buffer) => createHash("sha256").update(body).digest("base64url").slice(0, 16);

function fileOf(text: string, type: string, immutable: boolean): SiteFile {
  const body = Buffer.from(text);
  return { type: `${type}; charset=utf-8`, body, etag: `"${hashOf(body)}"`, immutable };
}

/** Adds an asset under a path that contains a hash of its content. */
function addAsset(site: Map<string, SiteFile>, name: string, text: string, type: string): string {
  const file = fileOf(text, type, true);
  const dot = name.lastIndexOf(".");
  const path = `/docs/${name.slice(0, dot)}.${hashOf(file.body)}${name.slice(dot)}`;
  site.set(path, file);
  return path;
}

const source = (file: string) => readFileSync(join(PROJECT, file), "utf8");

/** The pages of the documents, as the indexes list them. A document that no index lists has no page. */
function documents(): { groups: NavigationGroup[]; records: NavigationGroup[] } {
  const listed = (index: string) => {
    if (!existsSync(join(PROJECT, index))) return [];
    const groups = navigationOf(index, source(index));
    return groups.map(({ title, pages }) => ({
      title,
      pages: pages.filter(({ file = "" }) => existsSync(join(PROJECT, file))),
    }));
  };
  return { groups: listed("docs/README.md"), records: listed("docs/adr/README.md") };
}

/**
 * Renders the whole site: the documents, the API reference, the search index and the assets. Other requests are served
 * between pages.
 */
export async function buildSite(): Promise<Site> {
  const site = new Map<string, SiteFile>();
  const { groups, records } = documents();
  const reference = await referenceOf();
  const served = [...groups, ...records].flatMap(({ pages }) => pages);
  const byFile = new Map([["docs/README.md", "/docs"], ...served.map(({ file = "", path }) => [file, path] as const)]);
  const rendered = [];
  for (const { file = "", path } of served) {
    rendered.push({ path, page: renderMarkdown(file, source(file), target => byFile.get(target)) });
    await others();
  }
  const entries: SearchEntry[] = [...rendered.flatMap(one => searchEntries(one.path, one.page)), ...reference.entries];
  const asset = (name: string, type: string, files = [name]) =>
    addAsset(site, name, files.map(file => readFileSync(join(ASSETS, file), "utf8")).join("\n"), type);
  const assets: AssetPaths = {
    css: asset("docs.css", "text/css", ["docs.css", "reference.css"]),
    js: asset("docs.js", "text/javascript"),
    icon: asset("icon.svg", "image/svg+xml"),
    search: addAsset(site, "search.json", JSON.stringify(entries), "application/json"),
  };
  const navigation = [...groups, reference.navigation];
  const pages = [
    homePage(groups, reference.navigation),
    ...rendered.map(({ path, page: { title, html, headings } }) => ({ path, title, html, headings })),
    ...reference.pages,
  ];
  const render = (page: PageContent) => fileOf(pageHtml(page, navigation, assets), "text/html", false);
  for (const page of pages) site.set(page.path, render(page));
  return { files: site, missing: render(MISSING_PAGE) };
}
