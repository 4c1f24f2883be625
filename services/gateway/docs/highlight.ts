import { escapeHtml } from "../openapi/html.ts";

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const NUMBER = /\b\d[\d_.]*\b/;
const WORDS =
  /\b(?:as|await|catch|const|else|export|for|from|function|if|import|in|instanceof|let|new|of|return|try|type|while)\b/;

type Kind = "comment" | "string" | "number" | "key" | "word";
type Rule = readonly [Kind, RegExp];

const SHELL: Rule[] = [
  ["comment", /(?<=^|\s)#.*/],
  ["string", /'[^']*'|"(?:[^"\\]|\\.)*"/],
  ["key", /\$\{?\w+\}?/],
  ["word", /(?<=\s)--?[\w-]+/],
];
const SCRIPT: Rule[] = [
  ["comment", /\/\/.*|\/\*[\s\S]*?\*\//],
  ["string", STRING],
  ["word", WORDS],
  ["number", NUMBER],
];
const JSON_RULES: Rule[] = [
  ["key", /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
  ["string", STRING],
  ["word", /\b(?:true|false|null)\b/],
  ["number", /-?\b\d[\d.eE+-]*\b/],
];

const LANGUAGES: Record<string, Rule[]> = {
  sh: SHELL,
  bash: SHELL,
  ts: SCRIPT,
  js: SCRIPT,
  json: JSON_RULES,
};

/** Code as HTML, with a class for each kind of token. The page's policy allows no inline styles. */
export function highlight(code: string, language = ""): string {
  const rules = LANGUAGES[language];
  if (!rules) return escapeHtml(code);
  const pattern = new RegExp(rules.map(([, { source }]) => `(${source})`).join("|"), "gm");
  let html = "";
  let end = 0;
  for (const match of code.matchAll(pattern)) {
    const kind = rules[match.slice(1).findIndex(group => group !== undefined)]?.[0];
    html += `${escapeHtml(code.slice(end, match.index))}<span class="t-${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}

/** A block of code; the page's script adds a button that copies it. */
export function codeBlock(code: string, language = "", label = ""): string {
  const title = label ? `<figcaption>${escapeHtml(label)}</figcaption>` : "";
  return `<figure class="code">${title}<pre tabindex="0"><code>${highlight(code.trimEnd(), language)}</code></pre></figure>`;
}
