// Texts without which a pattern cannot match. They are sought first, since to compile and to try a pattern takes longer.

/** After these, what stands before them may be absent. */
const OPTIONAL = /^(?:[?*]|\{0?,)/;

/** Where the group or the class that begins at `start` ends. */
function endOf(source: string, start: number): number {
  let depth = 0;
  let isClass = false;
  for (let at = start; at < source.length; at++) {
    const mark = source[at];
    if (mark === "\\") {
      at++;
      continue;
    }
    if (isClass) isClass = mark !== "]";
    else if (mark === "[") isClass = true;
    else if (mark === "(") depth++;
    else if (mark === ")") depth--;
    if (depth === 0 && !isClass) return at;
  }
  return source.length;
}

/** The length of the shortest needle. Longer needles occur in fewer texts, so that more texts need no match. */
const worth = (needles: readonly string[]) => (needles.length === 0 ? 0 : Math.min(...needles.map(one => one.length)));
const better = (a: readonly string[], b: readonly string[]) => (worth(b) > worth(a) ? b : a);

/** For a source without alternatives of its own. */
function neededBy(source: string): readonly string[] {
  let best: readonly string[] = [];
  let run = "";
  const close = () => {
    if (run !== "") best = better(best, [run]);
    run = "";
  };
  for (let at = 0; at < source.length; at++) {
    const mark = source[at]!;
    if (!/[\\^$.*+?()[\]{}]/.test(mark)) {
      if (OPTIONAL.test(source.slice(at + 1))) close();
      else run += mark.toLowerCase();
      continue;
    }
    close();
    if (mark === "\\")
      at += /[pPuk]/.test(source[at + 1] ?? "") && source[at + 2] === "{" ? source.indexOf("}", at) - at : 1;
    else if (mark === "[") at = endOf(source, at);
    else if (mark === "{") at = source.indexOf("}", at);
    else if (mark === "(") {
      const end = endOf(source, at);
      const [head = ""] = /^\((?:\?(?::|[=!]|<[=!]|<\w+>))?/.exec(source.slice(at)) ?? [];
      const isAround = /[=!]/.test(head);
      if (!isAround && !OPTIONAL.test(source.slice(end + 1)))
        best = better(best, neededByAny(source.slice(at + head.length, end)));
      at = end;
    }
  }
  close();
  return best;
}

function neededByAny(source: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at <= source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "(" || source[at] === "[") at = endOf(source, at);
    else if (source[at] === "|" || at === source.length) {
      parts.push(source.slice(from, at));
      from = at + 1;
    }
  }
  const needles = parts.map(neededBy);
  return needles.every(({ length }) => length > 0) ? needles.flat() : [];
}

/** Texts in lower case, of which every match of the pattern contains at least one. Empty when no text is needed. */
export const needlesOf = ({ source }: RegExp): readonly string[] => neededByAny(source);
