/**
 * The first segments of the console's own addresses. Paths below them get the page. Every other path goes to the
 * router, so the API's paths and their 404 responses are not affected.
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

/** Questions have a smaller page of their own, if it is built. */
const PAGE_OF: Record<string, string> = { a: "/answer.html" };

const firstSegment = (path: string) => {
  const end = path.indexOf("/", 1);
  return path.slice(1, end < 0 ? undefined : end);
};

/** The HTML files for a path, in order of preference; none for paths outside of the console. */
export function pagesFor(path: string): string[] {
  const first = firstSegment(path);
  if (!PAGE_SEGMENTS.has(first) || (first === "" && path !== "/")) return [];
  return [...(PAGE_OF[first] ? [PAGE_OF[first]] : []), "/index.html"];
}
