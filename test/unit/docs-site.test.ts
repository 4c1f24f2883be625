import { readFile } from "node:fs/promises";
import { ERRORS } from "../../contracts/errors.ts";
import { buildSite, type Site } from "../../services/gateway/docs/site.ts";
import { highlight } from "../../services/gateway/docs/highlight.ts";
import { navigationOf } from "../../services/gateway/docs/navigation.ts";
import { renderMarkdown } from "../../services/gateway/docs/markdown.ts";
import { openApiDocument } from "../../services/gateway/openapi/document.ts";
import type { SearchEntry } from "../../services/gateway/docs/search-index.ts";
import { DOCUMENTS } from "../support/markdown.ts";

let site: Site["files"];
beforeAll(async () => {
  ({ files: site } = await buildSite());
});

const textOf = (path: string) => site.get(path)?.body.toString() ?? "";
const pages = () => [...site].filter(([, { type }]) => type.startsWith("text/html")).map(([path]) => path);
const idsIn = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
const unescaped = (text: string) => text.replaceAll("&amp;", "&");
const linksIn = (html: string) =>
  [...html.matchAll(/ (?:href|src|data-search)="([^"]+)"/g)].map(([, link = ""]) => unescaped(link));

describe("the site", () => {
  it("has a page for every document, and no other paths than pages and assets", () => {
    expect(pages().filter(path => !path.startsWith("/docs/reference"))).toHaveLength(DOCUMENTS.length);
    for (const path of site.keys()) expect(path).toMatch(/^\/docs(\/[\w.-]+){0,2}$/);
  });

  it("has the mark of the console", async () => {
    const [, icon] = [...site].find(([, { type }]) => type.startsWith("image/svg"))!;
    expect(icon.body.toString()).toBe(await readFile("console/ui/mark.svg", "utf8"));
  });

  it("links only to anchors that exist", () => {
    const anchors = new Map(pages().map(path => [path, new Set(idsIn(textOf(path)))]));
    const broken = pages().flatMap(path =>
      linksIn(textOf(path))
        .filter(link => !/^https?:/.test(link))
        .filter(link => {
          const [to = "", anchor] = link.split("#");
          if (to === "/openapi.json") return false;
          const at = to || path;
          return !site.has(at) || (anchor !== undefined && !anchors.get(at)?.has(anchor));
        })
        .map(link => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it("leads old links to sections that were moved to another page", () => {
    expect(textOf("/docs/operations")).toContain(
      'id="weftdown">This section has moved: <a href="/docs/alerts#weftdown"',
    );
    expect(idsIn(textOf("/docs/workflows"))).toContain("follow-a-run");
  });

  it("gives each element its own id", () => {
    for (const path of pages()) {
      const ids = idsIn(textOf(path));
      expect({ path, ids: ids.length }).toEqual({ path, ids: new Set(ids).size });
    }
  });

  it("has no inline code, and loads nothing from other origins", () => {
    for (const path of pages()) {
      const html = textOf(path);
      expect(html).not.toMatch(/<style|<iframe|<script(?! src="\/docs\/)| style="| on\w+="/);
      expect(html).not.toMatch(/ src="(?!\/docs\/)|<link [^>]*href="(?!\/docs\/)/);
    }
    const [css = ""] = [...site.keys()].filter(path => path.endsWith(".css"));
    expect(textOf(css)).not.toMatch(/@import|url\(/);
  });

  it("has an anchor for every error and every operation", () => {
    expect(idsIn(textOf("/docs"))).toEqual(expect.arrayContaining(Object.keys(ERRORS).map(code => `error-${code}`)));
    const { paths } = openApiDocument();
    for (const operation of Object.values(paths).flatMap(methods => Object.values(methods))) {
      expect(idsIn(textOf(`/docs/reference/${operation.tags[0]}`))).toContain(operation.operationId);
    }
  });

  it("stays within its size budget", () => {
    for (const path of pages()) expect({ path, bytes: textOf(path).length < 280_000 }).toEqual({ path, bytes: true });
  });

  it("finds every heading and operation with its search index", () => {
    const [index = ""] = [...site.keys()].filter(path => path.endsWith(".json"));
    const entries = JSON.parse(textOf(index)) as SearchEntry[];
    expect(entries.find(({ u }) => u === "/docs/steps#http")).toMatchObject({ t: "Steps", h: "http" });
    expect(entries.find(({ h }) => h === "Start an execution")?.u).toBe("/docs/reference/executions#executions.start");
    expect(entries.filter(({ u }) => u.endsWith(".alias"))).toEqual([]);
    const anchors = new Map(pages().map(path => [path, new Set(idsIn(textOf(path)))]));
    for (const { u } of entries) {
      const [path = "", anchor] = u.split("#");
      expect(anchors.has(path) && (anchor === undefined || anchors.get(path)!.has(anchor)) ? u : `broken ${u}`).toBe(u);
    }
  });
});

describe("an example of a route", () => {
  it("contains everything that the route needs", () => {
    const html = textOf("/docs/reference/executions").replace(/<[^>]+>/g, "");
    expect(html).toContain("weft.executions.start({ workflowId: &quot;0198");
    expect(html).toContain("for await (const { data } of weft.executions.events({ id })) {");
    expect(html).toContain("-H &quot;Authorization: Bearer $TOKEN&quot;");
  });
});

describe("Markdown", () => {
  const render = (text: string) =>
    renderMarkdown("docs/a.md", text, file => (file === "docs/b.md" ? "/docs/b" : undefined));

  it("shows HTML as text, and links to served files only", () => {
    const { html } = render(
      "# T\n<script>alert(1)</script>\n\n<b onclick=x>b</b> [b](b.md#c) [d](../d.ts) ![i](x.png)",
    );
    expect(html).not.toMatch(/<script|<b |<img/);
    expect(html).toContain('<a href="/docs/b#c">b</a> d ');
  });

  it("escapes code and highlights it", () => {
    expect(highlight('{ "a<b": 1 }', "json")).toBe(
      '{ <span class="t-key">&quot;a&lt;b&quot;</span>: <span class="t-number">1</span> }',
    );
    expect(highlight("<x>", "none")).toBe("&lt;x&gt;");
  });

  it("lists the pages of an index by its headings", () => {
    const groups = navigationOf("docs/README.md", "# D\n\n## A\n\n- [B](b.md): what it is\n- [C](../SECURITY.md)\n");
    expect(groups).toEqual([
      {
        title: "A",
        pages: [
          { path: "/docs/b", title: "B", summary: "what it is", file: "docs/b.md" },
          { path: "/docs/threat-model", title: "C", summary: "", file: "SECURITY.md" },
        ],
      },
    ]);
  });
});
