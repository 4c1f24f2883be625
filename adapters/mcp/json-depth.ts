/** Whether a JSON value is nested at most `max` deep. A scalar has depth 0. Uses no recursion, so any depth is safe. */
export function isWithinDepth(value: unknown, max: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    const inner = level.filter(item => typeof item === "object" && item !== null);
    if (inner.length > 0 && depth >= max) return false;
    level = inner.flatMap((item): unknown[] => Object.values(item));
  }
  return true;
}
