import { AppError, notFound } from "../../../contracts/errors.ts";

interface Node<T> {
  literal: Map<string, Node<T>>;
  variable?: Node<T>;
  methods: Map<string, T>;
}

export interface Match<T> {
  target: T;
  /** The decoded segments of the path, including those of variables. */
  segments: string[];
}

const node = <T>(): Node<T> => ({ literal: new Map(), methods: new Map() });

function decode(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notFound("path");
  }
}

/** The segments of a path, without the empty ones from slashes at either end. */
export function segmentsOf(path: string): string[] {
  const end = path.length > 1 && path.endsWith("/") ? -1 : undefined;
  return path.slice(1, end).split("/");
}

/**
 * Finds routes in a tree of path segments, so the time does not depend on the number of routes. Literal segments have
 * precedence over variables.
 */
export class Router<T> {
  readonly #root = node<T>();

  add(method: string, path: string, target: T): void {
    let at = this.#root;
    for (const segment of segmentsOf(path)) {
      if (segment.startsWith(":")) at = at.variable ??= node();
      else {
        const next = at.literal.get(segment) ?? node<T>();
        at.literal.set(segment, next);
        at = next;
      }
    }
    at.methods.set(method, target);
  }

  /** @throws {AppError} not_found, or method_not_allowed with the methods of the path */
  find(method: string, path: string): Match<T> {
    if (!path.startsWith("/")) throw notFound("path");
    const segments = segmentsOf(path).map(decode);
    const methods = this.#search(this.#root, segments, 0)?.methods;
    if (!methods) throw notFound("path");
    const target = methods.get(method === "HEAD" ? "GET" : method);
    if (target === undefined) {
      const allow = [...methods.keys()].flatMap(name => (name === "GET" ? ["GET", "HEAD"] : [name]));
      throw new AppError("method_not_allowed", { allow });
    }
    return { target, segments };
  }

  /**
   * Backtracks from a literal segment without a match to the variable at the same place. The depth is limited by the
   * route table.
   */
  #search(at: Node<T>, segments: string[], depth: number): Node<T> | undefined {
    const segment = segments[depth];
    if (segment === undefined) return at.methods.size > 0 ? at : undefined;
    const literal = at.literal.get(segment);
    const found = literal && this.#search(literal, segments, depth + 1);
    return found ?? (at.variable && segment !== "" ? this.#search(at.variable, segments, depth + 1) : undefined);
  }
}
