export const FIRST_LISTEN_PAUSE_MS = 1_000;
export const MAX_LISTEN_PAUSE_MS = 60_000;

/**
 * The pause before the next request to be told of changes, in ms. It is short when the stream stood for a while, and
 * doubles when a server refuses, or ends the stream again and again. `stoodMs` is 0 when the stream never stood.
 */
export const nextListenPause = (pauseMs: number, stoodMs: number): number =>
  stoodMs >= MAX_LISTEN_PAUSE_MS ? FIRST_LISTEN_PAUSE_MS : Math.min(pauseMs * 2, MAX_LISTEN_PAUSE_MS);
