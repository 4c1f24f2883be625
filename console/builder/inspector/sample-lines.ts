import { type Line, linesOf } from "../../json/lines.ts";

const unescaped = (part: string) => part.replaceAll("~1", "/").replaceAll("~0", "~");

/** The lines of the values in a scope. The scope itself has no line. */
export const scopeLines = (scope: unknown, toggled: ReadonlySet<string>): Line[] => linesOf(scope, toggled).slice(1);

/** Converts a JSON Pointer in a scope to a path of names and indexes. */
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
