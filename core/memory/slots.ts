import { nameOf, type Slots, type Speaker } from "./fact.ts";
import { withoutDates } from "./dates.ts";
import { keyOf, qualified } from "./normalise.ts";
import { CHANGES } from "./changes.ts";
import { SEVERAL } from "./nouns.ts";
import { OUTCOMES, plan } from "./outcomes.ts";
import { normaliseWording } from "./normalise-wording.ts";
import { withoutSource } from "./reported.ts";
import { expandContractions } from "./spoken.ts";
import { predicateOf } from "./polarity.ts";
import { readCopula } from "./copula.ts";
import { action, type Reading, type Clause } from "./readings.ts";
import { RELATIONS } from "./relations.ts";
import { type Parts, partsOf } from "./subject.ts";
import { frameOf, inFigures } from "./values.ts";
import { isPast } from "./verbs.ts";

/** The slots of an instruction to the assistant. */
function instruction(text: string): Slots | null {
  const said = text
    .replace(/^(?:please|just|simply)\s+/i, "")
    .replace(/^from (?:now|here) on,?\s+|,?\s+from (?:now|here) on$|,?\s+please$/gi, "")
    .replace(/^please\s+/i, "");
  const all = { subject: "assistant", qualifiers: [] };
  const [, language] =
    /^(?:always )?(?:(?:keep )?(?:answer|reply|respond|writ|write|speak|talk)(?:ing)?(?: (?:me|us|the user|(?:to|with) .+?))? in|(?:switch|change|go) (?:back )?to) ([\p{L}]+)$/iu.exec(
      said,
    ) ?? [];
  if (language !== undefined)
    return { ...all, relation: "language", value: keyOf(language), negated: false, single: true };
  const [, name] =
    /^(?:[Aa]lways |[Yy]ou (?:can|may) )?(?:[Cc]all|[Aa]ddress) (?:the user|me|\p{Lu}\w+) (?:as )?(\p{Lu}.*)$/u.exec(
      said,
    ) ?? [];
  if (name !== undefined) return { ...all, relation: "address", value: keyOf(name), negated: false, single: true };
  const [, stopped, what] = /^stop (\w+ing) (.+)$/i.exec(said) ?? [];
  if (stopped !== undefined) return { ...all, ...action(stopped, what ?? ""), negated: true, single: false };
  const [, lead = "", verb, object] =
    /^(?:(you (?:can|may)(?: now)?|you don't (?:have|need) to|always|never|don't|do not) (?:ever )?)?(\w+) (.+)$/i.exec(
      said.replaceAll("’", "'"),
    ) ?? [];
  if (verb === undefined || object === undefined) return null;
  const value = keyOf(
    object
      .replace(/^(?:me|us|the user) /i, "")
      .replace(/ in (?:your|the) (?:answers|replies|responses|messages)$/i, ""),
  );
  return {
    ...all,
    relation: action(verb, "").relation,
    value,
    negated: /^(?:never|don't|do not|you don't)/i.test(lead),
    single: false,
  };
}

const INSTRUCTS =
  /^(?:please|just call|simply call|from now on|always|never|don['’]t|do not|call|answer|reply|respond|write|speak|talk|keep|switch|change|go|you (?:can|may|don['’]t (?:have|need) to)|address|stop)\b/i;
/** The key of a value that has ended and that follows a preposition. */
const valueKey = (text: string) => keyOf(text.replace(/^(?:at|in|on|from|to) /i, ""));
const EARLIER = [...CHANGES, ...RELATIONS];
const RECENT = OUTCOMES.map(([pattern, reader]): (typeof OUTCOMES)[number] => [
  pattern,
  (match, said) => {
    const reading = reader(match, said);
    return reading && { ...reading, isRecent: true };
  },
]);
const READERS = [...RECENT, ...EARLIER];
/** All by which a predicate is read. */
export const PREDICATES: readonly RegExp[] = READERS.map(([pattern]) => pattern);
/** One of these holds at a time, but a person may mention several. Only an update supersedes the earlier ones. */
const EXCLUSIVE = /^do (?:drive|studi|attend|rent|date|support|vote|bank|commut|park)$/;
/** Relations that a correction replaces, because they have one value. A person can like or have two things at once. */
const CORRECTABLE = /^(?:be|be \w+|name|date|time|birth \w+|birthplace|live in|work at|job|age|origin|count .+)$/;
const JOB = /^user\/(?:job|job titl|role|occup|profess|posit)$/;

function read(text: string, said: Clause, readers = READERS): Reading | null {
  for (const [pattern, reader] of readers) {
    const match = pattern.exec(text);
    const reading = match ? reader(match, said) : null;
    if (reading) return reading;
  }
  const [, progressive, doing = ""] =
    /^(?:is|are|has been) ((?!(?:k|th|r|w|s)ing\b|even|morn|noth|someth|anyth)\w{2,}ing)\b(?: (.*))?$/i.exec(text) ??
    [];
  if (progressive !== undefined) return action(progressive, doing);
  const [, done, object = ""] = /^(?:has|have) ([\p{L}]+)(?: (.*))?$/u.exec(text) ?? [];
  if (done !== undefined && isPast(done) && !/^(?:had|got)$/i.test(done)) return action(done, object);
  const [, able, what = ""] = /^can ([\p{L}]+)(?: (.*))?$/u.exec(text) ?? [];
  if (able !== undefined && able !== "be") return action(able, what);
  const [, be, value] = /^(?:(is|are|'s|has become|became)) (.+)$/i.exec(text) ?? [];
  if (be !== undefined && value !== undefined) return readCopula(value, said);
  const [, verb, rest = ""] = /^([\p{L}'-]+)(?: (.*))?$/u.exec(text) ?? [];
  return verb === undefined || /^(?:has|is|was|are|were|had|can|be)$/i.test(verb) ? null : action(verb, rest);
}

const isName = (text: string) => /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?$/u.test(text) && text !== "The user";

/**
 * The value of a statement about the present, without its quantities. A past or dated statement is one of several
 * events.
 */
function frameFor(value: string, text: string, isUpdate: boolean): string | null {
  const [first = "", second = ""] = text.split(" ");
  const isEvent = isPast(first) || (/^(?:has|have)$/i.test(first) && isPast(second));
  return isEvent && !isUpdate ? null : frameOf(value);
}

const formerlyOf = (reading: Reading, subject: string, isDenied: boolean): Slots["formerly"] => ({
  subject: reading.subject ?? subject,
  relation: reading.relation,
  value: reading.value,
  negated: isDenied !== (reading.negated ?? false),
});

function planOf({ key, predicate }: Parts): Slots | null {
  const [, denied] =
    /^(?:no longer|(?:does|do)(?:n['’]t| not)) ((?:wants?|plans?|intends?|hopes?) .+?)(?: any ?more| any longer)?$/i.exec(
      predicate,
    ) ?? [];
  const intended = plan(withoutDates(denied ?? predicate));
  return intended && { subject: key, ...intended, negated: denied !== undefined, qualifiers: [], single: false };
}

/**
 * What a statement in the third person says, as subject, relation and value. Null when the rules cannot tell: for
 * wishes, plans, hearsay, and languages other than English. A `correction` takes back an earlier statement.
 */
export function slotsOf(statement: string, user?: Speaker, { correction = false } = {}): Slots | null {
  const name = nameOf(user);
  const said = statement.trim().replace(/[.!\s]+$/, "");
  const ofUser = name === "The user" ? said : said.replaceAll(name, "the user").replace(/^t/, "T");
  const text = inFigures(normaliseWording(withoutSource(expandContractions(ofUser))));
  const parts = partsOf(text, "The user");
  if (!parts || /^you\b/i.test(text)) return INSTRUCTS.test(text) ? instruction(text) : null;
  const predicate = predicateOf(parts.predicate);
  if (!predicate) return planOf(parts);
  const [, plain = predicate.text, wrong] =
    /^(?!prefers?\b|replaced\b)(.+?)(?:, not| instead of| rather than|, no longer) (.+)$/.exec(predicate.text) ?? [];
  // "The new laptop is": there is one, unless there can be several at a time.
  const isNew = /^the (?:user's )?new /i.test(parts.subject) && !SEVERAL.test(parts.key);
  const isNews = predicate.isUpdate || correction || isNew;
  const owned = /^(.+)[/ ](?:first |full )?name$/.exec(parts.key)?.[1];
  const isJob = JOB.test(parts.key);
  const subject = owned ?? (isJob ? "user" : parts.key);
  const about = { subject, negated: predicate.negated, isUpdate: isNews };
  // A day can be the value itself, and not only a qualifier.
  const onDay = read(plain, about);
  const isDate = onDay?.relation === "date";
  const { rest, qualifiers } = isDate ? { rest: plain, qualifiers: [] } : qualified(plain);
  const undated = withoutDates(rest);
  const reading = isDate ? onDay : (read(undated, about) ?? read(rest, about));
  if (!reading) return null;
  const isUpdate = isNews || reading.isUpdate === true;
  const former = reading.isRecent ? read(undated, about, EARLIER) : null;
  const relation = owned !== undefined ? "name" : isJob ? "job" : reading.relation;
  const negated = predicate.negated !== (reading.negated ?? false);
  const isHappening = negated || undated !== rest;
  const frame = isHappening ? null : frameFor(reading.value, rest, isUpdate);
  const replaces = reading.replaces ?? (wrong === undefined ? undefined : valueKey(wrong));
  // "Priya owns it instead of Sam": Sam owned it.
  const isOther = replaces !== undefined && wrong !== undefined && isName(wrong) && isName(parts.subject);
  // "Takes the train instead of driving": the driving is over.
  const [, doing, what = ""] = /^(\w{2,}ing)\b ?(.*)$/.exec(wrong ?? "") ?? [];
  const given = reading.ends ?? (isOther ? { subject: replaces, relation, value: reading.value } : undefined);
  const done = doing === undefined ? undefined : action(doing, what);
  const ends = given ?? (done && { subject, relation: done.relation, value: done.value });
  const isOnly =
    (correction && CORRECTABLE.test(relation)) ||
    (isUpdate &&
      (EXCLUSIVE.test(relation) || (relation === "do run" && parts.key !== "user" && !isName(parts.subject))));
  return {
    subject: reading.subject ?? subject,
    relation,
    value: reading.value,
    negated,
    qualifiers: reading.qualifiers ?? qualifiers,
    single: isJob || isOnly || (reading.single ?? false),
    ...(replaces !== undefined && { replaces }),
    ...(ends && { ends }),
    ...(frame !== null && { frame }),
    ...(isUpdate && { update: true }),
    ...(parts.alias !== undefined && !reading.subject && owned === undefined && { alias: parts.alias }),
    ...(former && { formerly: formerlyOf(former, subject, predicate.negated) }),
  };
}
