import type { Weft } from "../../sdk/index.ts";
import { printMessage, withoutControls } from "../terminal.ts";
import { firstOf } from "./lists.ts";

/** The most other spaces that are checked. */
const MAX_ASKED = 20;

/** Lists the items of one kind in a space. */
export type ListFirst = (options: { spaceId: string; limit: 1 }) => AsyncIterable<unknown>;

/**
 * Prints the other spaces that contain items of this kind. It checks at most 20 spaces, and says so if there are more.
 */
export async function printOtherSpaces(weft: Weft, spaceId: string, what: string, list: ListFirst): Promise<void> {
  const others = (await firstOf(weft.pods.spaces.list(), MAX_ASKED + 2)).filter(({ id }) => id !== spaceId);
  const asked = others.slice(0, MAX_ASKED);
  const lines = await Promise.all(
    asked.map(async ({ id, name }) => {
      const [any] = await firstOf(list({ spaceId: id, limit: 1 }), 1);
      return any === undefined ? [] : [`  ${withoutControls(name)}  (--space ${id})`];
    }),
  );
  const found = lines.flat();
  const rest = others.length > asked.length ? ["There are more spaces, which were not asked."] : [];
  if (found.length > 0) printMessage([`This space has no ${what}. These have:`, ...found, ...rest].join("\n"));
  else if (rest.length > 0) printMessage(`Neither this space nor ${asked.length} others have ${what}. ${rest.join()}`);
  else printMessage(`There are no ${what} yet.`);
}
