/** Search parameters as plain text, so that filters are readable in an address: `?status=failed,running`. */
export type Search = Record<string, unknown>;

export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Search): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const given = Array.isArray(value) ? value.join(",") : value;
    if (typeof given === "number" || (typeof given === "string" && given !== "")) params.set(name, String(given));
  }
  const text = params.toString().replaceAll("%2C", ",");
  return text && `?${text}`;
}

/** The text of a parameter. Undefined if it is absent or empty. */
export const textIn = (search: Search, name: string): string | undefined => {
  const value = search[name];
  return typeof value === "string" && value !== "" ? value : undefined;
};

/** The known words in a comma-separated parameter. Unknown ones are dropped. Undefined if none is left. */
export function wordsIn<T extends string>(search: Search, name: string, known: readonly T[]): T[] | undefined {
  const value = search[name];
  const words = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  const found = known.filter(word => words.includes(word));
  return found.length > 0 ? found : undefined;
}

/** Returns a path only if it is within the console, or else the home page, because the link may come from anyone. */
export const safePath = (path: string | undefined): string =>
  path !== undefined && /^\/(?![/\\])/.test(path) ? path : "/";

/** The value of a parameter if it is a positive integer. */
export function numberIn(search: Search, name: string): number | undefined {
  const number = Number(search[name]);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}
