/** Computes a value at its first use. What few calls need then costs the start of a process nothing. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
