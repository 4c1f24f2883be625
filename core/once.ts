/** Computes a value at its first use. Values that few calls need then cost a starting process no time. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
