/** Request timeout, too early, too many requests: the server asks for a retry. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Not implemented, HTTP version not supported: the server says that it never will. */
const LASTING: ReadonlySet<number> = new Set([501, 505]);

/** Whether a retry may help after this status: 408, 425, 429, and 5xx but for 501 and 505. */
export const isPassingStatus = (status: number): boolean =>
  PASSING.has(status) || (status >= 500 && status <= 599 && !LASTING.has(status));

/** Whether a list of statuses and their classes has this status. */
export const isRetried = (status: number, statuses: readonly (number | string)[]): boolean =>
  statuses.includes(status) || statuses.includes(`${Math.floor(status / 100)}xx`);

/**
 * The delay of a Retry-After header, given in seconds or as a date, in milliseconds from `now` (Unix ms). Undefined for
 * any other text.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
