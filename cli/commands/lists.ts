import { type Invocation, type Options, UsageError } from "../command.ts";

const DEFAULT_LIMIT = 50;

export const LIST_OPTIONS: Options = {
  limit: { type: "string", short: "n", value: "count", help: `the maximum number, or all; default: ${DEFAULT_LIMIT}` },
};

function limitOf(given: Invocation): number {
  const text = given.text("limit") ?? String(DEFAULT_LIMIT);
  if (text === "all") return Infinity;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError("--limit takes a number or all");
  return Number(text);
}

/** The first items of a list. */
export async function firstOf<T>(list: AsyncIterable<T>, limit = Infinity): Promise<T[]> {
  const items: T[] = [];
  for await (const item of list) if (items.push(item) >= limit) break;
  return items;
}

/** The first items of a list, up to the number in `--limit`. */
export const takeUpToLimit = <T>(given: Invocation, list: AsyncIterable<T>): Promise<T[]> =>
  firstOf(list, limitOf(given));
