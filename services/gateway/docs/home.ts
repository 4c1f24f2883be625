import { ERRORS } from "../../../contracts/errors.ts";
import { escapeHtml as esc, prose } from "../openapi/html.ts";
import type { PageContent } from "./layout.ts";
import type { NavigationGroup } from "./navigation.ts";

const LEAD = "Weft runs workflows that survive crashes, wait for days, and ask people before they act.";

/** The first page: all pages by group, and the error codes, which the `type` of a problem document links to. */
export function homePage(groups: readonly NavigationGroup[], reference: NavigationGroup): PageContent {
  const cards = groups.map(({ title, pages }) => {
    const items = pages.map(
      ({ path, title: name, summary }) =>
        `<a class="card" href="${path}"><strong>${esc(name)}</strong><span>${prose(summary)}</span></a>`,
    );
    return `<section class="group"><h2>${esc(title)}</h2><div class="cards">${items.join("\n")}</div></section>`;
  });
  const routes = reference.pages.map(({ path, title }) => `<a href="${path}">${esc(title)}</a>`);
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title }]) =>
      `<tr id="error-${code}"><td><code>${code}</code></td><td>${status}</td><td>${esc(title)}</td></tr>`,
  );
  const html = `<div class="hero"><h1>Weft documentation</h1><p>${LEAD}</p>
<p><a class="button" href="/docs/introduction#five-minutes-with-curl">Start with the tour</a> <a class="button quiet" href="/docs/reference">API reference</a></p></div>
${cards.join("\n")}
<section class="group"><h2>API reference</h2><p class="chips">${routes.join(" ")}</p></section>
<section class="group"><h2 id="errors">Error codes</h2><p>Every error is a problem document with one of these codes. <a href="/docs/api#errors">Using the API</a> explains its fields.</p>
<div class="table" tabindex="0"><table class="codes"><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div></section>`;
  return { path: "/docs", title: "Weft documentation", html, headings: [], wide: true };
}
