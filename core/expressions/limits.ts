/**
 * Limits of what a template may contain and produce. Sizes are in characters, not bytes, because characters are cheap
 * to count.
 */
export const MAX_EXPRESSION_LENGTH = 10_000;
export const MAX_EXPRESSIONS = 1_000;
/**
 * The limit on the work of parsing all expressions of one definition: the syntax nodes of each expression, plus a fixed
 * share for JSONata's setup of each expression. It allows about 2,000 short expressions, which take at worst about a
 * quarter of a second and 40 MiB.
 */
export const MAX_PARSE_WORK = 100_000;
export const WORK_PER_EXPRESSION = 40;
/** Levels of nesting in template data, and in the result of a template. */
export const MAX_JSON_DEPTH = 100;
/** Levels of nesting in an expression's own syntax tree, and of brackets in its text. */
export const MAX_SYNTAX_DEPTH = 200;
/**
 * The approximate JSON length of everything that one template produces. The caller checks how much of it may be stored.
 */
export const MAX_RESULT_LENGTH = 17 * 1024 * 1024;
