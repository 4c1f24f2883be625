import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

const NAME = "lucide-react";
const IMPORT = /import \{([^}]*)\} from "lucide-react";/g;
const FOLDER = join(dirname(import.meta.dirname), "../node_modules/lucide-react/dist/esm");

/** The file of each icon, by each of its names, from the index of the collection. */
function filesByName(): ReadonlyMap<string, string> {
  const index = readFileSync(join(FOLDER, `${NAME}.mjs`), "utf8");
  const exported = [...index.matchAll(/export \{([^}]*)\} from '(\.\/icons\/[^']+)'/g)];
  return new Map(
    exported.flatMap(([, names, file]) =>
      [...names!.matchAll(/default as (\w+)/g)].map(([, name]) => [name!, join(FOLDER, file!)]),
    ),
  );
}

/**
 * Imports each icon from its own file and not from the index of the collection, which has thousands. This makes the
 * build faster, and shows which page uses which icon.
 */
export function iconFiles(): Plugin {
  let files: ReadonlyMap<string, string> | undefined;
  const fileOf = (name: string) => {
    const file = (files ??= filesByName()).get(name);
    if (file === undefined) throw new Error(`${NAME} has no icon ${name}`);
    return JSON.stringify(file);
  };
  const imported = (list: string) =>
    list
      .split(",")
      .map(item => item.trim())
      .filter(item => item !== "" && !item.startsWith("type "))
      .map(item => {
        const [name, local = name] = item.split(" as ");
        return `import ${local} from ${fileOf(name!)};`;
      });
  return {
    name: "weft:icon-files",
    enforce: "pre",
    apply: "build",
    transform: code =>
      code.includes(NAME) ? code.replaceAll(IMPORT, (_all, list: string) => imported(list).join(" ")) : null,
  };
}
