/** The result of work that yields between its steps, without a pause. */
export function resultOf<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
