const MAX_STARTS = 20;
/** The most characters that are read for all starts together. A hostile answer has a late end, or none, for each. */
const MAX_READ = 8_000_000;

function parsed(text: string): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** The end of the object or list that starts at `start`, or -1. */
function endOf(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at + 1;
  }
  return -1;
}

/**
 * Finds the JSON in a model's answer: the whole answer, or the first object or list after its thoughts, in a code fence
 * or between other words. Undefined if there is no JSON.
 */
export function jsonIn(answer: string): { json: unknown } | undefined {
  const text = answer.replace(/^\s*<think>.*?<\/think>/s, "").trim();
  const whole = parsed(text);
  if (whole) return whole;
  let start = -1;
  for (let tries = 0, read = 0; tries < MAX_STARTS && read < MAX_READ; tries++) {
    const next = text.slice(start + 1).search(/[[{]/);
    if (next < 0) return undefined;
    start += next + 1;
    const end = endOf(text, start);
    read += (end < 0 ? text.length : end) - start;
    const part = end < 0 ? undefined : parsed(text.slice(start, end));
    if (part) return part;
  }
  return undefined;
}
