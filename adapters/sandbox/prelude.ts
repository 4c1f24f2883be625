/** A description of a thrown value. */
export interface Thrown {
  /** Set only for an Error. */
  name?: string;
  message: string;
  stack?: string;
}

/** The functions that the prelude provides to the host. */
export interface Prelude {
  /** Calls the function that has the code as its body. `globals` is the JSON of an object. */
  start(code: (...globals: unknown[]) => Promise<unknown>, globals: string): Promise<unknown>;
  /**
   * Returns the JSON of the code's return value.
   * @throws a value that `describe` accepts.
   */
  output(value: unknown): string;
  /** Returns the JSON of a Thrown. */
  describe(thrown: unknown): string;
}

/**
 * Runs inside the sandbox before the code. It runs from its own source text, so it uses nothing outside itself. The
 * code may change the built-ins that this function relies on, but harms only itself: the host checks what it receives.
 * `log` takes the JSON of a CodeLog.
 */
export function prelude(
  log: (line: string) => void,
  names: readonly string[],
  maxLines: number,
  maxLength: number,
): Prelude {
  const { parse, stringify } = JSON;
  const text = String;
  const [AnyError, AnyMap, AnySet, AnyPromise] = [Error, Map, Set, Promise];
  const cut = (long: string) => (long.length > maxLength ? `${long.slice(0, maxLength - 1)}…` : long);

  const shown = (value: unknown): string => {
    try {
      if (typeof value !== "object" || value === null) return text(value);
      if (value instanceof AnyError) return `${value.name}: ${value.message}`;
      return stringify(value) ?? text(value);
    } catch {
      return "(a value that cannot be shown)";
    }
  };

  let lines = 0;
  const logger =
    (level: string) =>
    (...values: unknown[]) => {
      if (lines > maxLines) return;
      let message = "";
      for (let i = 0; i < values.length; i++) message += (i > 0 ? " " : "") + shown(values[i]);
      const isMore = ++lines > maxLines;
      const kept = isMore ? `More was logged: only the first ${maxLines} lines are kept.` : cut(message);
      log(stringify({ __proto__: null, level: isMore ? "warn" : level, message: kept }));
    };
  const info = logger("info");
  const value = { debug: info, log: info, info, warn: logger("warn"), error: logger("error") };
  Object.defineProperty(globalThis, "console", { value, writable: true, configurable: true });

  class NotJson extends Error {}
  const refusal = (part: unknown): string | undefined => {
    if (typeof part === "function") return "a function: call it, so that it gives a value";
    if (typeof part === "symbol") return "a symbol: turn it into a string";
    if (typeof part === "bigint") return "a BigInt: turn it into a number or a string";
    if (typeof part === "number" && (part !== part || part === Infinity || part === -Infinity)) {
      return "a number that is not finite: look for a division by zero";
    }
    if (part instanceof AnyPromise) return "a promise: await it";
    if (part instanceof AnyMap) return "a Map: use Object.fromEntries";
    if (part instanceof AnySet) return "a Set: use Array.from";
    return undefined;
  };

  return {
    start: (code, globals) => {
      const given = parse(globals) as Record<string, unknown>;
      return code(...names.map(name => given[name]));
    },
    output: returned =>
      stringify(returned === undefined ? null : returned, (key: string, part: unknown) => {
        const reason = refusal(part);
        if (reason) throw new NotJson(`The output${key === "" ? " is" : ` holds, as "${key}",`} ${reason}.`);
        return part instanceof AnyError ? { name: part.name, message: part.message } : part;
      }),
    describe: thrown => {
      try {
        if (thrown instanceof NotJson) return stringify({ __proto__: null, message: cut(thrown.message) });
        if (thrown instanceof AnyError) {
          const [name, message, stack] = [text(thrown.name), text(thrown.message), text(thrown.stack)];
          return stringify({ __proto__: null, name: cut(name), message: cut(message), stack: cut(stack) });
        }
      } catch {
        // The fallback below describes it as well as possible.
      }
      return stringify({ __proto__: null, message: `The code threw ${cut(shown(thrown))}` });
    },
  };
}
