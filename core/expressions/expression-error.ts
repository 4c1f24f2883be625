export type ExpressionErrorCode =
  "expression_error" | "expression_timeout" | "expression_too_deep" | "expression_busy" | "unknown_variable";

/** Where the fault is, as far as this is known. */
export interface FaultPlace {
  /** The expression, without its braces. */
  source?: string | undefined;
  /** The end of the faulty word, in characters of the expression. */
  position?: number | undefined;
}

/** Thrown when an expression gives no value. The message is for the person who wrote the expression. */
export class ExpressionError extends Error {
  readonly code: ExpressionErrorCode;
  /**
   * The place of the expression in the step's data, a JSON Pointer such as `/headers/0/value`; empty for the data
   * itself.
   */
  readonly path: string;
  /** The message without the path, for use in another context. */
  readonly reason: string;
  readonly place: FaultPlace;

  constructor(code: ExpressionErrorCode, reason: string, path = "", place: FaultPlace = {}) {
    super(path === "" ? reason : `${path}: ${reason}`);
    this.name = "ExpressionError";
    this.code = code;
    this.reason = reason;
    this.path = path;
    this.place = place;
  }

  at(path: string): ExpressionError {
    return new ExpressionError(this.code, this.reason, path, this.place);
  }

  /** Returns the same error with the source of its expression. */
  of(source: string): ExpressionError {
    return new ExpressionError(this.code, this.reason, this.path, { ...this.place, source });
  }
}

/** JSONata throws plain objects: {code, message, position (characters)}. Its documentation lists the codes. */
export function describeJsonataError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof RangeError && error.message.includes("call stack")) return tooDeep();
  const { code, message, position } = (error ?? {}) as { code?: unknown; message?: unknown; position?: unknown };
  if (code === "D1011") return tooDeep();
  const text = typeof message === "string" && message !== "" ? message : "The expression could not be evaluated";
  if (typeof position !== "number") return new ExpressionError("expression_error", text.slice(0, 500));
  const reason = `${text.slice(0, 500)} (near character ${position} of the expression)`;
  return new ExpressionError("expression_error", reason, "", { position });
}

export const tooDeep = () =>
  new ExpressionError("expression_too_deep", "The expression or its result is nested too deeply");

export const tooLarge = () =>
  new ExpressionError("expression_error", "The result is too large: take a part of it, or fewer of them");
