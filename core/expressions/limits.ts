/** Bounds of what a template may hold and give. Sizes are characters, not bytes: both are what JavaScript counts cheaply. */
export const MAX_EXPRESSION_LENGTH = 10_000;
export const MAX_EXPRESSIONS = 1_000;
/**
 * Work of parsing all expressions of one definition: the syntax nodes of each, and a share for each that covers what
 * JSONata sets up whatever the expression. About 2,000 short ones: a quarter of a second or so and 40 MiB at the worst.
 */
export const MAX_PARSE_WORK = 100_000;
export const WORK_PER_EXPRESSION = 40;
/** Levels of nesting: of template data, and of what a template gives. */
export const MAX_JSON_DEPTH = 100;
/** Levels of nesting in an expression's own syntax tree, and of brackets in its text. */
export const MAX_SYNTAX_DEPTH = 200;
/** About the JSON length of all that one template gives; what may be kept of it is for the caller to check. */
export const MAX_RESULT_LENGTH = 8 * 1024 * 1024;
