import { MAX_SYNTAX_DEPTH } from "./limits.ts";
import { nextToken } from "./tokens.ts";

const MAX_COST = 50_000;
/** The most steps of a path. The parser visits all steps of a path again for each step that is added. */
const MAX_PATH = 300;
/** The most parent operators. The parser searches all steps of a path again for each of them. */
const MAX_PARENTS = 50;

export type ParseCost = { nodes: number; fault?: undefined } | { nodes?: undefined; fault: string };

const fault = (message: string): ParseCost => ({ fault: message });

/**
 * The number of syntax nodes that the parser would make of a source, or the reason why the parser must not read it.
 * JSONata's parser copies the left side of `??` and `?:`, so nesting them doubles its work at every level. This
 * function counts the resulting nodes in one pass over the tokens.
 */
export function parseCost(source: string): ParseCost {
  // For each open bracket: the nodes of finished operands, and of the operand being read.
  let done = 0;
  let current = 0;
  let parents = 0;
  let dots = 0;
  const outer: { done: number; current: number; dots: number }[] = [];
  let at = 0;
  let operand = false;
  for (;;) {
    const token = nextToken(source, at, operand);
    if (token === undefined) break;
    current++;
    if (token.text === "(" || token.text === "[" || token.text === "{") {
      outer.push({ done, current, dots });
      done = current = dots = 0;
    } else if (token.text === ")" || token.text === "]" || token.text === "}") {
      const before = outer.pop() ?? { done: 0, current: 0, dots: 0 };
      current += before.current + done;
      done = before.done;
      dots = before.dots;
    } else if (token.text === "," || token.text === ";") {
      done += current;
      current = 0;
    } else if (token.text === "??" || token.text === "?:") {
      done += 2 * current;
      current = 0;
    } else if (token.text === ".") {
      if (++dots > MAX_PATH)
        return fault(`The expression has a path of more than ${MAX_PATH} names. Split it into several steps`);
    } else if (token.text === "%" && ++parents > MAX_PARENTS) {
      return fault(`The expression uses % more than ${MAX_PARENTS} times. Split it into several steps`);
    }
    if (!token.operand && token.text !== "." && !"([{".includes(token.text)) dots = 0;
    if (outer.length > MAX_SYNTAX_DEPTH)
      return fault("The brackets of the expression are nested too deeply. Split it into several steps");
    if (done + current > MAX_COST)
      return fault("The expression nests ?? or ?: too deeply. Split it into several steps");
    at = token.end;
    operand = token.operand;
  }
  // The parser also reads what is inside brackets that are never closed.
  const open = outer.reduce((sum, level) => sum + level.done + level.current, 0);
  return { nodes: open + done + current };
}
