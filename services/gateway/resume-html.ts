import { createHash } from "node:crypto";
import { personPageHeaders } from "./http/security-headers.ts";
import { escapeHtml } from "./openapi/html.ts";

const STYLE = `
:root {
  color-scheme: light dark;
  --page: light-dark(#fbfaf7, #141310);
  --card: light-dark(#ffffff, #23211c);
  --line: light-dark(#e3dfd4, #34312a);
  --ink: light-dark(#1f1c17, #ece8dd);
  --ink-2: light-dark(#565145, #b9b3a3);
  --accent: light-dark(#3d3fa8, #a9acf7);
  --on-accent: light-dark(#ffffff, #17173a);
  font: 16px/1.6 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100svh; display: grid; place-items: center; padding: 1.5rem; background: var(--page); color: var(--ink); }
main { width: 100%; max-width: 28rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; overflow-wrap: anywhere; }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3; text-wrap: balance; }
p { margin: 0; color: var(--ink-2); }
p + p { margin-top: .5rem; }
strong { color: var(--ink); font-weight: 600; }
form { margin-top: 1.5rem; }
button { width: 100%; min-height: 2.875rem; padding: .625rem 1.25rem; border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.08); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
@media (max-width: 30rem) { body { padding: 1rem; } main { padding: 1.5rem; } }
`;
const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

export const RESUME_HEADERS = personPageHeaders(STYLE_HASH);

export interface ResumeText {
  title: string;
  text: string;
  /** The name of the step. */
  step?: string | undefined;
  /** The label of the button that ends the wait. */
  button?: string;
}

/** A page at the address of a step. The form posts to the same path, without a query that someone may have added. */
export function resumeHtml({ title, text, step, button }: ResumeText): string {
  const named = step === undefined ? "" : `<p>Step: <strong>${escapeHtml(step)}</strong></p>\n`;
  const form =
    button === undefined
      ? ""
      : `<form method="post" action="?"><button type="submit">${escapeHtml(button)}</button></form>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${named}<p>${escapeHtml(text)}</p>
${form}</main>
</body>
</html>
`;
}
