import { Marked, type Tokens } from "marked";
import { escapeHtml } from "../openapi/html.ts";
import { codeBlock } from "./highlight.ts";
import { linkedFile, anchorOf } from "./links.ts";

export interface Heading {
  level: number;
  text: string;
  anchor: string;
}

/** A heading with the text below it, for the search. */
export interface Passage {
  heading: Heading;
  text: string;
}

export interface RenderedPage {
  title: string;
  html: string;
  headings: Heading[];
  passages: Passage[];
}

/** Returns the page of a file, or undefined if the service does not serve that file. */
export type PageOf = (file: string) => string | undefined;

const plainText = (html: string) =>
  html
    .replace(/<[^>]+>/g, " ")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&")
    .replace(/\s+/g, " ")
    .trim();

const isExternal = (target: string) => /^https?:\/\//.test(target);

/** The served page that a link of `file` leads to; undefined for files that are not served. */
function targetOf(file: string, href: string, pageOf: PageOf): string | undefined {
  if (href.startsWith("#")) return href;
  // The tour uses the address of a local installation. On the served page the links lead to this service.
  const own = /^http:\/\/127\.0\.0\.1:3000(\/.*)$/.exec(href)?.[1];
  if (own !== undefined || isExternal(href)) return own ?? href;
  const [path = "", anchor] = href.split("#");
  const page = pageOf(linkedFile(file, path));
  return page && (anchor ? `${page}#${anchor}` : page);
}

/** Renders a Markdown file of the project. Raw HTML is shown as text. */
export function renderMarkdown(file: string, source: string, pageOf: PageOf): RenderedPage {
  const headings: Heading[] = [];
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const text = plainText(inner);
        const anchor = anchorOf(text);
        headings.push({ level: depth, text, anchor });
        if (depth === 1) return `<h1 id="${anchor}">${inner}</h1>\n`;
        return `<h${depth} id="${anchor}">${inner}<a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(file, href, pageOf);
        if (target === undefined) return inner;
        const rel = isExternal(target) ? ' rel="noreferrer"' : "";
        return `<a href="${escapeHtml(target)}"${rel}>${inner}</a>`;
      },
      code: ({ text, lang }: Tokens.Code) => codeBlock(text, lang),
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
      image: ({ text }: Tokens.Image) => escapeHtml(text),
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map(cells => row(cells, "td")).join("\n");
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(source, { async: false });
  const parts = html.split(/<h[1-6] id="[^"]*">.*?<\/h[1-6]>/s).slice(1);
  const passages = headings.map((heading, place) => ({ heading, text: plainText(parts[place] ?? "") }));
  return { title: headings[0]?.text ?? "", html, headings, passages };
}
