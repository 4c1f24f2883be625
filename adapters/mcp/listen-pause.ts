export const FIRST_LISTEN_PAUSE_MS = 1_000;
export const MAX_LISTEN_PAUSE_MS = 60_000;

/**
 * How long one waits after this pause until one asks again to be told of changes: soon where the stream stood for a while, longer
 * and longer where a server refuses, or ends it again and again. In ms; `stoodMs` is 0 where it never stood.
 */
export const nextListenPause = (pauseMs: number, stoodMs: number): number =>
  stoodMs >= MAX_LISTEN_PAUSE_MS ? FIRST_LISTEN_PAUSE_MS : Math.min(pauseMs * 2, MAX_LISTEN_PAUSE_MS);
