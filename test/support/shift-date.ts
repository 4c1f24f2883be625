/** Sets every clock of this process ahead by this many milliseconds. Returns a function that restores them. */
export function shiftDate(aheadMs: () => number): () => void {
  const Real = Date;
  // Uses a proxy, so that every date is an instance of it, including dates created before this file was loaded.
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: unknown[]) =>
      Reflect.construct(target, given.length > 0 ? given : [Real.now() + aheadMs()]) as object,
    get: (target, name) => (name === "now" ? () => Real.now() + aheadMs() : (Reflect.get(target, name) as unknown)),
  });
  return () => void (globalThis.Date = Real);
}
