/** Pairs that name one thing. */
const FIXED =
  /\b(?:rock and roll|mac(?:aroni)? and cheese|fish and chips|salt and (?:pepper|vinegar)|bread and butter|peanut butter and jelly|gin and tonic|black and white|drum and bass|research and development|arts and crafts|bed and breakfast|cookies and cream)\b/i;
const LIST =
  /^(.*?\b(?:likes|loves|enjoys|hates|dislikes|adores|detests|speaks|owns|plays|can't stand|cannot stand|doesn't like|does not like|is allergic to|is fond of)\s+)([^;:]+)$/i;
const JOINT = /,\s+(?:and\s+|or\s+)?|\s+and\s+|\s+or\s+/;
/** Words that apply to a whole list, or show that it is not a list. */
const COMPLEX =
  /\b(?:with|in|on|at|for|when|because|that|which|who|from|to|during|since|every|is|are|but|of|between|than|over|both|not)\b/i;
const MAX_WORDS = 4;

/** Splits "likes tea and coffee" into two statements. Anything except a plain list stays one statement. */
export function itemsOf(statement: string): string[] {
  const [, head, tail] = LIST.exec(statement) ?? [];
  if (head === undefined || tail === undefined || COMPLEX.test(tail) || FIXED.test(tail)) return [statement];
  const items = tail
    .split(JOINT)
    .map(item => item.trim())
    .filter(Boolean);
  const isList = items.length > 1 && items.every(item => item.split(/\s+/).length <= MAX_WORDS);
  return isList ? items.map(item => head + item) : [statement];
}
