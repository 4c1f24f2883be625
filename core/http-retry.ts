/** The server asks for a retry: request timeout, too early, too many requests. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** The server will never accept the request: not implemented, HTTP version not supported. */
const LASTING: ReadonlySet<number> = new Set([501, 505]);

/** Whether a retry may help after this status: 408, 425, 429, and 5xx except 501 and 505. */
export const isTransientStatus = (status: number): boolean =>
  PASSING.has(status) || (status >= 500 && status <= 599 && !LASTING.has(status));

/** Whether a list of statuses and status classes (`5xx`) contains this status. */
export const isRetried = (status: number, statuses: readonly (number | string)[]): boolean =>
  statuses.includes(status) || statuses.includes(`${Math.floor(status / 100)}xx`);

/**
 * The delay of a Retry-After header, in milliseconds from `now` (Unix ms). The header has seconds or a date. Undefined
 * for any other text.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
