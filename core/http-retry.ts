/** Request timeout, too early, too many requests: what the server asks to send again. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether sending a request again as before may help after an answer with this status: 5xx, 408, 425 and 429. */
export const isPassingStatus = (status: number): boolean => PASSING.has(status) || (status >= 500 && status <= 599);

/** What a Retry-After header asks for, in milliseconds from `now` (Unix ms): seconds, or a date. Undefined for anything else. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (text === "") return undefined;
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}
