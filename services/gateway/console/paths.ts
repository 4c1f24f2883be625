/**
 * The first segments of the console's own addresses. Paths below them get the page. Every other path goes to the
 * router, so the API's paths and their 404 answers stay as they are.
 */
export const PAGE_SEGMENTS: ReadonlySet<string> = new Set([
  "",
  "w",
  "a",
  "me",
  "sign-in",
  "sign-up",
  "forgot-password",
  "reset-password",
  "confirm-address",
  "command",
  "invite",
  "sso",
  "operator",
]);

/** Questions have a smaller page of their own, where one is built. */
const PAGE_OF: Record<string, string> = { a: "/answer.html" };

const firstSegment = (path: string) => {
  const end = path.indexOf("/", 1);
  return path.slice(1, end < 0 ? undefined : end);
};

/** The HTML files that answer a path, in order of preference; none for paths that are not the console's. */
export function pagesFor(path: string): string[] {
  const first = firstSegment(path);
  if (!PAGE_SEGMENTS.has(first) || (first === "" && path !== "/")) return [];
  return [...(PAGE_OF[first] ? [PAGE_OF[first]] : []), "/index.html"];
}
