import { MAX_WAIT_MS } from "../../../contracts/actions/executions.ts";

const WAIT = /^wait\s*=\s*"?(\d{1,6})"?\s*(;|$)/i;
const NAME = /^wait\s*(=|;|$)/i;

/**
 * The `wait` of a Prefer header (RFC 7240, section 4.3) in milliseconds. The first one counts. A wait outside of 0 to
 * 60 seconds cannot be honoured and is ignored.
 */
export function preferredWaitMs(header: string): number | undefined {
  const wait = header
    .split(",")
    .map(preference => preference.trim())
    .find(preference => NAME.test(preference));
  const seconds = wait === undefined ? undefined : WAIT.exec(wait)?.[1];
  if (seconds === undefined) return undefined;
  const waitMs = Number(seconds) * 1_000;
  return waitMs <= MAX_WAIT_MS ? waitMs : undefined;
}
