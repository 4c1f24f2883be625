export { ExpressionError, type ExpressionErrorCode } from "../../core/expressions/expression-error.ts";
export type { Scope } from "../../core/expressions/scope.ts";
export { compileTemplates, type Template, type TemplateFault } from "../../core/expressions/template.ts";
export { createExpressions, type Expressions, type ExpressionsOptions, type ResolveOptions } from "./expressions.ts";
