import { type Line, linesOf } from "../../json/lines.ts";

const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** The lines of a scope. The scope itself has none. */
export const scopeLines = (scope: unknown, toggled: ReadonlySet<string>): Line[] => linesOf(scope, toggled).slice(1);

/** The path of a value of the scope by its JSON Pointer: names, and the indexes of items. */
export function pathOf(scope: unknown, pointer: string): (string | number)[] {
  let at = scope;
  return pointer
    .split("/")
    .slice(1)
    .map(unescaped)
    .map(part => {
      const step = Array.isArray(at) ? Number(part) : part;
      at = (at as Readonly<Record<string | number, unknown>> | undefined)?.[step];
      return step;
    });
}
