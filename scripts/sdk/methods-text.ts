import type { Route } from "../../contracts/routes.ts";
import { CALLED } from "../../sdk/definition.ts";

interface Group {
  [word: string]: Group | Route;
}

const isRoute = (value: Group | Route): value is Route => typeof value.action === "string";

/** The methods as a tree: `workflows.create` is `create` in the group `workflows`. */
function grouped(routes: readonly Route[]): Group {
  const root: Group = {};
  for (const route of routes) {
    const words = route.action.split(".");
    const last = words.pop() ?? "";
    const group = words.reduce<Group>((at, word) => (at[word] ??= {}) as Group, root);
    group[last] = route;
  }
  return root;
}

function documentation({ summary, method, path, errors }: Route): string {
  const codes = errors.map(code => `\`${code}\``).join(", ");
  const thrown = codes === "" ? "" : `\n * @throws {WeftError} with the code ${codes}, beside those of every call`;
  return `/**\n * ${summary.replace(/\.$/, "")}.\n *\n * \`${method} ${path}\`${thrown}\n */\n`;
}

function groupText(group: Group): string {
  const members = Object.entries(group).map(([word, value]) =>
    isRoute(value)
      ? `${documentation(value)}readonly ${word}: Method<"${value.action}">;`
      : `readonly ${word}: ${groupText(value)};`,
  );
  return `{\n${members.join("\n")}\n}`;
}

/**
 * The text of `sdk/methods.ts` for the package: every method with the summary, the route and the errors of its call.
 */
export const methodsText = (): string =>
  [
    "// Made by `npm run sdk` from the routes of the service.",
    'import type { Method } from "./method.ts";',
    `export interface Methods ${groupText(grouped(CALLED))}`,
    "",
  ].join("\n");
