/**
 * How long a test waits for something that has to happen. It detects hangs and does not measure speed: on a machine
 * with ten times the load, everything takes ten times as long, and no test may fail because of that.
 */
export const HANG_MS = 60_000;
