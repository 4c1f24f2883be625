/** The processor time since an earlier moment, in seconds. */
export function secondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

/** The processor time of this process while it works, in seconds. Other processes do not lengthen it. */
export function secondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return secondsSince(before);
}

/**
 * Work that grows with its input takes well below this for the largest inputs, and work that grows with its square
 * several times this, on any machine.
 */
export const SOON_S = 5;
