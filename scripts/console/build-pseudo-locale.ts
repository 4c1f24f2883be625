// `node scripts/console/build-pseudo-locale.ts FOLDER` builds the pages into a folder, with marks around every text
// from the messages, as a second language would replace it. A text without marks does not come from the messages.
import { build, type Plugin } from "vite";
import { viteConfig } from "./vite-config.ts";

const MESSAGES = /\/console\/messages\/(?!index\.ts)[\w-]+\.ts$/;
const MARK = "\0weft:mark";

const MARK_CODE = `
const bare = text => {
  for (let rest = text; ; ) {
    const next = rest.replace(/⟦[^⟦⟧]*⟧/g, "");
    if (next === rest) return next;
    rest = next;
  }
};
export function mark(value) {
  if (typeof value === "string") return /\\p{L}/u.test(bare(value)) ? "⟦" + value + "⟧" : value;
  if (typeof value === "function") return (...given) => mark(value(...given));
  if (Array.isArray(value)) return value.map(mark);
  if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, mark(one)]));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mark(one)]));
}`;

const pseudoLocale: Plugin = {
  name: "weft:pseudo-locale",
  enforce: "pre",
  resolveId: id => (id === "weft:mark" ? MARK : null),
  load: id => (id === MARK ? MARK_CODE : null),
  transform(code, id) {
    if (!MESSAGES.test(id)) return null;
    const names: string[] = [];
    const plain = code.replace(/^export (const|function) (\w+)/gm, (_all, kind: string, name: string) => {
      names.push(name);
      return `${kind} ${name}`;
    });
    const marked = names.map(name => `const $${name} = mark(${name}); export { $${name} as ${name} };`);
    return `import { mark } from "weft:mark";\n${plain}\n${marked.join("\n")}`;
  },
};

const [outDir] = process.argv.slice(2);
if (outDir === undefined) throw new Error("The folder for the pages is missing");
process.env.NODE_ENV = "production";
const config = viteConfig({ pages: ["index.html", "answer.html"], outDir });
await build({ ...config, plugins: [...(config.plugins ?? []), pseudoLocale] });
