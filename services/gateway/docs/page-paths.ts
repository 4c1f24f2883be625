import { posix } from "node:path";

/** Documents at the root of the project, which have pages under a name of their own. */
const AT_ROOT: Record<string, string> = {
  "README.md": "/docs/introduction",
  "SECURITY.md": "/docs/threat-model",
  "CONTRIBUTING.md": "/docs/contributing",
};

/** The path of the page that shows a Markdown file of the project: `docs/adr/README.md` is at `/docs/adr`. */
export const pagePathOf = (file: string): string =>
  AT_ROOT[file] ?? `/${file.replace(/\.md$/, "").replace(/\/README$/, "")}`;

/** The file, by its path from the root of the project, that a link in another file leads to. */
export const linkedFile = (from: string, target: string): string => posix.join(posix.dirname(from), target);
