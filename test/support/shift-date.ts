/** Has every clock of this process show so many milliseconds ahead. Gives what puts them back. */
export function shiftDate(aheadMs: () => number): () => void {
  const Real = Date;
  // A proxy, so that every date is an instance of it, also one made before this file was loaded.
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: unknown[]) =>
      Reflect.construct(target, given.length > 0 ? given : [Real.now() + aheadMs()]) as object,
    get: (target, name) => (name === "now" ? () => Real.now() + aheadMs() : (Reflect.get(target, name) as unknown)),
  });
  return () => void (globalThis.Date = Real);
}
