const words = (text: string) => text.trim().split(/\s+/);

/** Irregular past forms, except forms that are also present forms. */
const IRREGULAR_PAST = new Set(
  words(`
  was were went got had did made took saw came bought brought thought felt left met said told found gave knew grew began became
  ran lost won sold paid sent spent kept slept built wrote drove ate drank spoke broke chose fell flew forgot held heard quit
  led lent rode rose sang sat shook shot stood stole swam taught threw understood woke wore caught fought dealt drew hid
  laid lit meant rang sank sought shone struck swore tore won used born knelt bent lent hung dug fed fled bred`),
);
const PRESENT_ED = new Set(words("need feed speed exceed succeed proceed embed shed wed bed"));
const INVARIANT = new Set(
  words("can could will would shall should may might must cannot can't couldn't won't wouldn't shouldn't"),
);

/** Common verbs of statements in their base form. They show where a subject ends and where a clause begins. */
const COMMON = words(`
  live work like love hate prefer use have be move want need study play speak drive own enjoy go drink eat take run manage teach
  write read start get buy come grow learn know think feel mean make do see find give keep let begin help show hear believe
  bring happen stand lose pay meet include continue set change lead understand watch follow stop create spend open walk win
  offer remember consider appear wait serve die send expect build stay fall cut reach kill remain suggest raise pass sell require
  report decide pull visit travel fly swim cook clean bake smoke train volunteer dislike adore detest commute attend
  join leave quit switch relocate graduate marry divorce adopt rent collect sing dance paint draw ride cycle ski
  hike jog camp garden sleep wake wear suffer cost weigh contain deploy host store support depend handle connect
  migrate replace expire end belong call name plan try date hope wish turn reside stay earn save invest study work hurt
  subscribe receive order bike bring consist expose listen return process fail produce ship break dream celebrate prepare
  practise practice share cancel say tell ask close launch finish postpone reschedule base locate schedule retire live set
  settle rename rewrite upgrade downgrade promote repaint raise drop swap trade fear lie repair fix tend
`);

export function thirdPerson(verb: string): string {
  if (verb === "have") return "has";
  if (verb === "am" || verb === "are" || verb === "be") return "is";
  if (verb === "were") return "was";
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  return /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

export const isPast = (verb: string): boolean =>
  IRREGULAR_PAST.has(verb) ||
  IRREGULAR_PAST.has(verb.replace(/^(?:re|over|under|mis|out|un)(?=\w{3})/, "")) ||
  (verb.length > 3 && verb.endsWith("ed") && !PRESENT_ED.has(verb));

/** Converts the verb form after "I" to the form after "the user". */
export function conjugated(verb: string): string {
  const lower = verb.toLowerCase();
  if (lower === "were") return "was";
  if (isPast(lower) || INVARIANT.has(lower) || /(?:'|’)(?:d|ll)$/.test(lower)) return verb;
  if (lower === "don't") return "doesn't";
  if (lower === "aren't") return "isn't";
  if (lower === "weren't") return "wasn't";
  if (lower === "haven't") return "hasn't";
  return thirdPerson(lower);
}

const AUXILIARIES = words(
  "is are was were has have had does do did isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't cannot can't can " +
    "could will would should may might must won't wouldn't couldn't shouldn't 's",
);

const FINITE = new Set([...COMMON.map(thirdPerson), ...IRREGULAR_PAST, ...AUXILIARIES]);
FINITE.delete("born");
const BASE = new Set(COMMON);
/** Verbs that are also nouns, so they cannot begin a clause. */
const ALSO_NOUNS = new Set(
  words("works uses plays runs likes plans names calls dates changes orders dreams reports shares bases trains"),
);

/** Whether a word can be the verb of a statement in the third person or in the past. */
export function isFinite(word: string): boolean {
  const lower = word.toLowerCase().replace("’", "'");
  return (
    FINITE.has(lower) || (lower.endsWith("ed") && BASE.has(lower.replace(/i?ed$|d$/, ""))) || /[^e]ed$/.test(lower)
  );
}

/** Whether a word is a known verb, in its base form or in the third person. */
export const isVerb = (word: string): boolean => BASE.has(word) || FINITE.has(word);

/** Whether a word after "and" begins another statement about the same subject. */
export function opensClause(word: string, after = ""): boolean {
  const lower = word.toLowerCase();
  if (ALSO_NOUNS.has(lower)) return /^(?:as|at|for|in|on|with|from|to)$/i.test(after);
  const isPastOfKnown = lower.endsWith("ed") && [1, 2].some(cut => BASE.has(lower.slice(0, -cut)));
  return (BASE.has(lower) || FINITE.has(lower) || isPastOfKnown) && lower !== "'s";
}
