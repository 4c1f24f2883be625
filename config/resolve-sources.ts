import { registerHooks } from "node:module";

const SOURCES = new URL("../", import.meta.url).href;
const PACKAGES = `${SOURCES}node_modules/`;

/**
 * Resolves imports between the sources without the file system. The imports contain the full file name, so Node's
 * search for the file, its real path and its package would find nothing else. With more than a thousand files, that
 * search is a twelfth of the processor time of a start.
 * It also leaves out 62 files that Zod loads without need.
 */
export function resolveSources(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = "" } = context;
      // Zod's messages in all languages. Only the English ones are used.
      if (specifier === "../locales/index.js" && parentURL.includes("/zod/v4/"))
        return next("../locales/en.js", context);
      const isSource = parentURL.startsWith(SOURCES) && !parentURL.startsWith(PACKAGES);
      if (!isSource || !specifier.startsWith(".") || !specifier.endsWith(".ts")) return next(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: "module-typescript", shortCircuit: true };
    },
  });
}
