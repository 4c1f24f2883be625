import { WeftConnectionError, WeftError } from "../../sdk/errors.ts";
import { m } from "../messages/index.ts";
import type { Problem } from "../ui/states.tsx";

/** When each error was first seen. The countdown of its wait starts then. */
const seenAt = new WeakMap<object, number>();

/** How many seconds of the wait that the service asked for are left. 0 when it is over. */
export function secondsLeft(error: unknown, now: number): number {
  if (!(error instanceof WeftError)) return 0;
  const from = seenAt.get(error) ?? now;
  seenAt.set(error, from);
  return Math.max(0, Math.ceil((from + (error.retryAfterMs ?? 0) - now) / 1_000));
}

/** Describes any thrown value in words for users. */
export function problemOf(error: unknown): Problem {
  if (error instanceof WeftError) {
    const { status, code, requestId, detail } = error;
    const known = { status, code, requestId };
    if (status === 404) return { ...known, title: m.problem.notFound, detail: m.problem.notFoundDetail };
    if (status === 403) return { ...known, title: m.problem.forbidden, detail };
    if (status === 429) {
      const titleAt = (now: number) => m.problem.rateLimited(secondsLeft(error, now));
      return { ...known, title: titleAt(Date.now()), titleAt, detail };
    }
    return { ...known, title: error.title, detail: detail === error.title ? "" : detail };
  }
  const none = { status: undefined, code: undefined, requestId: undefined };
  if (error instanceof WeftConnectionError) {
    return { ...none, title: m.problem.offline, detail: m.problem.offlineDetail };
  }
  return { ...none, title: m.problem.unexpected, detail: error instanceof Error ? error.message : String(error) };
}

/** An error in sentences, for places that show no title. */
export function sentencesOf(error: unknown): string {
  const { title, detail } = problemOf(error);
  return detail ? `${title}. ${detail}` : title;
}

/** The stable code of an error of the service, such as `email_taken`. */
export const codeOf = (error: unknown): string | undefined => (error instanceof WeftError ? error.code : undefined);

/** The status of the service's answer. Undefined if there was none. */
export const statusOf = (error: unknown): number | undefined => (error instanceof WeftError ? error.status : undefined);

/** Whether the error says that the resource has changed since it was read. */
export const isStale = (error: unknown): boolean => statusOf(error) === 412;

const PASSING = new Set([401, 429, 500, 502, 503, 504]);

/** Whether the same request may succeed later, because the service is unreachable, busy or unable to write. */
export const mayPass = (error: unknown): boolean =>
  error instanceof WeftConnectionError || (error instanceof WeftError && PASSING.has(error.status));

const AWAY = new Set([502, 503, 504]);

/** Whether the error says that the service was away, so that it is over as soon as the service answers again. */
export const isAway = (error: unknown): boolean =>
  error instanceof WeftConnectionError || (error instanceof WeftError && AWAY.has(error.status));

/** The message of the service about one field, by its JSON Pointer. */
export const faultAt = (error: unknown, path: string): string | undefined =>
  error instanceof WeftError ? error.errors.find(fault => fault.path === path)?.message : undefined;

/** The message of the service about one field or a part of it. */
export const faultUnder = (error: unknown, path: string): string | undefined =>
  error instanceof WeftError
    ? error.errors.find(fault => fault.path === path || fault.path.startsWith(`${path}/`))?.message
    : undefined;

/** All messages of the service about fields. */
export const faultsIn = (error: unknown): readonly { path: string; message: string }[] =>
  error instanceof WeftError ? error.errors : [];

/** Explains a refused sign-in in one sentence, without revealing whether the account exists. */
export function signInFault(error: unknown, now: number): string {
  const code = codeOf(error);
  if (code === "invalid_credentials" || code === "validation_failed") return m.problem.wrongPassword;
  if (code === "rate_limited") return m.problem.tooManyTries(secondsLeft(error, now));
  return sentencesOf(error);
}
