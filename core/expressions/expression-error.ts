export type ExpressionErrorCode =
  "expression_error" | "expression_timeout" | "expression_too_deep" | "expression_busy" | "unknown_variable";

/** An expression that gave no value. The message is for the person who wrote the expression. */
export class ExpressionError extends Error {
  readonly code: ExpressionErrorCode;
  /**
   * The place of the expression in the step's data, a JSON Pointer such as `/headers/0/value`; empty for the data
   * itself.
   */
  readonly path: string;
  /** The message without the path, for use in another context. */
  readonly reason: string;

  constructor(code: ExpressionErrorCode, reason: string, path = "") {
    super(path === "" ? reason : `${path}: ${reason}`);
    this.name = "ExpressionError";
    this.code = code;
    this.reason = reason;
    this.path = path;
  }

  at(path: string): ExpressionError {
    return new ExpressionError(this.code, this.reason, path);
  }
}

/** JSONata throws plain objects: {code, message, position (characters)}. Its documentation lists the codes. */
export function describeJsonataError(error: unknown): ExpressionError {
  if (error instanceof ExpressionError) return error;
  if (error instanceof RangeError && error.message.includes("call stack")) return tooDeep();
  const { code, message, position } = (error ?? {}) as { code?: unknown; message?: unknown; position?: unknown };
  if (code === "D1011") return tooDeep();
  const text = typeof message === "string" && message !== "" ? message : "The expression could not be evaluated";
  const place = typeof position === "number" ? ` (near character ${position} of the expression)` : "";
  return new ExpressionError("expression_error", text.slice(0, 500) + place);
}

export const tooDeep = () =>
  new ExpressionError("expression_too_deep", "The expression or its result is nested too deeply");

export const tooLarge = () =>
  new ExpressionError("expression_error", "The result is too large: take a part of it, or fewer of them");
