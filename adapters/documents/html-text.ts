import { Parser } from "htmlparser2";
import { DocumentError, type Section } from "./messages.ts";
import { TextBuilder } from "./text-builder.ts";

/** Elements whose content is invisible to a reader of the page. */
const UNSEEN = new Set(
  "head title script style noscript template svg math iframe object canvas audio video select".split(" "),
);
const PARAGRAPHS = new Set(
  "p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure section article aside header footer main nav hr".split(" "),
);
const LINES = new Set("div br li dt dd tr caption figcaption address details summary form fieldset option".split(" "));
const HEADING = /^h[1-6]$/;
/** The most nested elements. Browsers stop at 512. The parser's work per element grows with the depth. */
const MAX_DEPTH = 5_000;

/** Extracts the text of an HTML page, with headings and lists marked as in Markdown. It builds no tree. */
export function htmlText(html: string): Section {
  const text = new TextBuilder();
  let title = "";
  let inTitle = false;
  /** The number of open elements: all of them, the unseen ones, and the `pre` ones. */
  const open = { all: 0, unseen: 0, pre: 0 };

  const edge = (name: string) => {
    if (PARAGRAPHS.has(name)) text.breakLines(2);
    else if (LINES.has(name)) text.breakLines(1);
  };
  const parser = new Parser(
    {
      onopentag(name) {
        if (++open.all > MAX_DEPTH) throw new DocumentError("file_too_complex", "The page is nested too deeply.");
        if (name === "title" && title === "") inTitle = true;
        if (UNSEEN.has(name)) open.unseen++;
        if (open.unseen > 0) return;
        edge(name);
        if (name === "pre") open.pre++;
        if (HEADING.test(name)) text.words(`${"#".repeat(Number(name[1]))} `);
        if (name === "li") text.words("- ");
        if (name === "td" || name === "th") text.words(" ");
      },
      ontext(data) {
        if (inTitle) title = (title + data).slice(0, 500);
        if (open.unseen > 0) return;
        if (open.pre > 0) text.verbatim(data);
        else text.words(data);
      },
      onclosetag(name) {
        open.all--;
        if (name === "title") inTitle = false;
        if (UNSEEN.has(name)) {
          open.unseen = Math.max(0, open.unseen - 1);
          return;
        }
        if (open.unseen > 0) return;
        if (name === "pre") open.pre = Math.max(0, open.pre - 1);
        edge(name);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.end(html);
  const named = title.replace(/\s+/g, " ").trim();
  return { text: text.toString(), ...(named && { title: named }) };
}
