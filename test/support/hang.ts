/**
 * How long a test waits for what has to happen. It tells a hang, and says nothing of speed: where a machine does ten other
 * things, all takes ten times as long, and no test fails of it.
 */
export const HANG_MS = 60_000;
