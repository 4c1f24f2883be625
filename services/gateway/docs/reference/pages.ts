import { setImmediate as others } from "node:timers/promises";
import { definitionSchemas } from "../../../../core/graph/catalogue/definition-schema.ts";
import { COMPONENTS } from "../../openapi/json-schema.ts";
import { openApiDocument, type OpenApiDocument } from "../../openapi/document.ts";
import { escapeHtml as esc, prose } from "../../openapi/html.ts";
import { typeHtml } from "../../openapi/schema-html.ts";
import type { PageContent } from "../layout.ts";
import type { NavigationGroup } from "../navigation.ts";
import type { SearchEntry } from "../search-index.ts";
import { fieldsHtml } from "./fields.ts";
import { type Listed, methodHtml, operationHtml, pathHtml } from "./operation-html.ts";

const ROOT = "/docs/reference";
const TITLES: Record<string, string> = {
  identity: "Users and API keys",
  questions: "Questions and signals",
  pods: "Pods and spaces",
  audit: "Audit log",
  knowledge: "Knowledge bases",
  mcp: "MCP",
  gateway: "Service",
};
const titleOf = (tag: string) => TITLES[tag] ?? tag.charAt(0).toUpperCase() + tag.slice(1);
const pathOf = (tag: string) => `${ROOT}/${tag}`;

function groupsOf({ paths }: OpenApiDocument): [string, Listed[]][] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return [...Map.groupBy(all, ({ operation }) => operation.tags[0] ?? "")];
}

const FILTER = `<p class="tools"><input type="search" class="filter" placeholder="Filter routes" aria-label="Filter routes" hidden>
<span class="languages" role="group" aria-label="Language of the examples" hidden><button type="button" data-choose="curl">curl</button><button type="button" data-choose="ts">TypeScript</button></span>
<button type="button" class="unfold" hidden>Expand all</button></p>`;

function overview(document: OpenApiDocument, groups: [string, Listed[]][]): PageContent {
  const sections = groups.map(([tag, operations]) => {
    const items = operations.map(({ method, path, operation: { operationId, summary } }) => {
      return `<li class="operation-link"><a href="${pathOf(tag)}#${esc(operationId)}">${methodHtml(method)}${pathHtml(path)}<span class="what">${prose(summary)}</span></a></li>`;
    });
    return `<section class="group"><h2 id="${esc(tag)}"><a href="${pathOf(tag)}">${titleOf(tag)}</a></h2><ul class="routes">${items.join("\n")}</ul></section>`;
  });
  const intro = `<p>${prose(document.info.description)}</p><p><a href="/docs/api">Using the API</a> explains authentication, lists and errors. Programs read <a href="/openapi.json">openapi.json</a>.</p>`;
  const html = `<h1>API reference</h1>${intro}${FILTER}${sections.join("\n")}`;
  return { path: ROOT, title: "API reference", html, headings: [], wide: true };
}

/** The schemas of workflow definitions, which have a page of their own. */
const OF_DEFINITIONS: ReadonlySet<string> = new Set(Object.keys(definitionSchemas(COMPONENTS)));
const SCHEMA_PAGES = { Schemas: `${ROOT}/schemas`, "Workflow definitions": `${ROOT}/definitions` } as const;
const titleOfSchema = (name: string) => (OF_DEFINITIONS.has(name) ? "Workflow definitions" : "Schemas");

function schemasPage(title: keyof typeof SCHEMA_PAGES, { components: { schemas } }: OpenApiDocument): PageContent {
  const entries = Object.entries(schemas).filter(([name]) => titleOfSchema(name) === title);
  const sections = entries.map(([name, schema]) => {
    const told = schema.description ? `<p>${prose(schema.description)}</p>` : "";
    return `<h2 id="schema-${name}">${name}<a class="anchor" href="#schema-${name}" aria-label="Link to this schema">#</a></h2>${told}${fieldsHtml(schema) || `<p>${typeHtml(schema)}</p>`}`;
  });
  const headings = entries.map(([name]) => ({ level: 2, text: name, anchor: `schema-${name}` }));
  return { path: SCHEMA_PAGES[title], title, html: `<h1>${title}</h1>${sections.join("\n")}`, headings };
}

/** Makes links to schemas of other pages lead there. */
const linked = (page: PageContent): PageContent => ({
  ...page,
  html: page.html.replaceAll(/href="#schema-(\w+)"/g, (link, name: string) => {
    const path = SCHEMA_PAGES[titleOfSchema(name)];
    return path === page.path ? link : `href="${path}#schema-${name}"`;
  }),
});

export interface Reference {
  pages: PageContent[];
  navigation: NavigationGroup;
  entries: SearchEntry[];
}

/**
 * The API reference, made from the OpenAPI document: an overview, a page for each group of routes, and those for the
 * schemas.
 */
export async function referenceOf(document: OpenApiDocument = openApiDocument()): Promise<Reference> {
  const groups = groupsOf(document);
  const { schemas } = document.components;
  const tagPages: PageContent[] = [];
  for (const [tag, operations] of groups) {
    const routes = operations.map(listed => operationHtml(listed, schemas)).join("\n");
    const html = `<h1>${titleOf(tag)}</h1>${FILTER}${routes}`;
    tagPages.push({ path: pathOf(tag), title: titleOf(tag), html, headings: [], wide: true });
    await others();
  }
  const pages = [
    overview(document, groups),
    ...tagPages,
    schemasPage("Schemas", document),
    schemasPage("Workflow definitions", document),
  ].map(linked);
  const navigation = { title: "API reference", pages: pages.map(({ path, title }) => ({ path, title: path === ROOT ? "All routes" : title, summary: "" })) }; // prettier-ignore
  // The second address of a route would be a second result with the same words.
  const found = ({ operation }: Listed) => !operation.operationId.endsWith(".alias");
  const entries = groups.flatMap(([tag, operations]) =>
    operations.filter(found).map(({ method, path, operation: { operationId, summary } }) => ({
      u: `${pathOf(tag)}#${operationId}`,
      t: `API reference · ${titleOf(tag)}`,
      h: summary.replaceAll("`", ""),
      x: `${method} ${path} ${operationId}`,
    })),
  );
  return { pages, navigation, entries };
}
