import { escapeHtml as esc } from "../openapi/html.ts";
import type { Heading } from "./markdown.ts";
import { movedHtml } from "./moved.ts";
import type { NavigationGroup, NavigationPage } from "./navigation.ts";

/** The paths of the assets that every page loads. */
export interface AssetPaths {
  css: string;
  js: string;
  icon: string;
  search: string;
}

export interface PageContent {
  path: string;
  title: string;
  html: string;
  headings: readonly Heading[];
  /** A page in full width shows no list of its headings. */
  wide?: boolean;
}

/** Pages that represent their subpages, which the navigation does not list. */
const PARENTS = ["/docs/adr"];
const isWithin = (path: string, page: NavigationPage) =>
  PARENTS.includes(page.path) && path.startsWith(`${page.path}/`);

function navigationHtml(groups: readonly NavigationGroup[], path: string): string {
  return groups
    .map(({ title, pages }) => {
      const items = pages.map(page => {
        const current = page.path === path ? ' aria-current="page"' : isWithin(path, page) ? ' class="within"' : "";
        return `<li><a href="${page.path}"${current}>${esc(page.title)}</a></li>`;
      });
      return `<h2>${esc(title)}</h2><ul>${items.join("")}</ul>`;
    })
    .join("\n");
}

function contentsHtml(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ level, text, anchor }) => `<li class="l${level}"><a href="#${anchor}">${esc(text)}</a></li>`,
  );
  return `<h2>On this page</h2><ul>${items.join("")}</ul>`;
}

function neighboursHtml(groups: readonly NavigationGroup[], path: string): string {
  const pages = groups.flatMap(group => group.pages);
  const place = pages.findIndex(page => page.path === path);
  if (place < 0) return "";
  const link = (page: NavigationPage | undefined, label: string, name: string) =>
    page
      ? `<a class="${name}" rel="${name}" href="${page.path}"><span>${label}</span>${esc(page.title)}</a>`
      : "<span></span>";
  return `<nav class="neighbours" aria-label="Neighbouring pages">${link(pages[place - 1], "Previous", "prev")}${link(pages[place + 1], "Next", "next")}</nav>`;
}

/** A page with its navigation. It loads only the assets and has no inline script or style. */
export function pageHtml(page: PageContent, groups: readonly NavigationGroup[], assets: AssetPaths): string {
  const { path, title, html, headings, wide = false } = page;
  const contents = wide ? "" : contentsHtml(headings);
  const name = path === "/docs" ? "Weft documentation" : `${title} · Weft documentation`;
  return `<!doctype html>
<html lang="en" data-search="${assets.search}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${esc(name)}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.css}">
<script src="${assets.js}"></script>
</head>
<body${wide ? ' class="wide"' : ""}>
<a class="skip" href="#site-content">Skip to content</a>
<header class="top">
<button type="button" class="icon menu" aria-controls="site-navigation" aria-expanded="false" aria-label="Pages"><span class="bars"></span></button>
<a class="brand" href="/docs"><img src="${assets.icon}" alt="" width="24" height="24">Weft<span>Docs</span></a>
<div class="search" role="search">
<input type="search" id="site-search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="site-results" aria-autocomplete="list">
<kbd aria-hidden="true">/</kbd>
<ul id="site-results" role="listbox" aria-label="Results" hidden></ul>
<p class="visually-hidden" role="status" id="site-found"></p>
<template id="site-none"><li class="none" role="presentation">Nothing found. Try fewer or other words, or look here:</li>
<li id="result-0" role="option"><a href="/docs" tabindex="-1">Contents<small>All pages of the documentation</small></a></li>
<li id="result-1" role="option"><a href="/docs/reference" tabindex="-1">API reference<small>Every operation of the API</small></a></li>
</template>
</div>
<button type="button" class="icon theme" aria-label="Change the colours"><span class="moon"></span></button>
</header>
<div class="frame">
<nav id="site-navigation" aria-label="Pages">
${navigationHtml(groups, path)}
</nav>
<main id="site-content" tabindex="-1">
<article>
${movedHtml(path)}
${html}
</article>
${neighboursHtml(groups, path)}
</main>
${contents ? `<aside class="contents" aria-label="On this page">${contents}</aside>` : ""}
</div>
</body>
</html>
`;
}
