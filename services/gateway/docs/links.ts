import { posix } from "node:path";

/** Documents in the project's root, with the names of their pages. */
const AT_ROOT: Record<string, string> = {
  "README.md": "/docs/introduction",
  "SECURITY.md": "/docs/threat-model",
  "CONTRIBUTING.md": "/docs/contributing",
};

/** The path of the page that shows a Markdown file of the project: `docs/adr/README.md` is at `/docs/adr`. */
export const pagePathOf = (file: string): string =>
  AT_ROOT[file] ?? `/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`;

/** The file that a link in another file leads to, relative to the project's root. */
export const linkedFile = (from: string, target: string): string => posix.join(posix.dirname(from), target);

/** The anchor of a heading, the same as on GitHub, so that links work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
