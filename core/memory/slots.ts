import type { Slots, Speaker } from "./fact.ts";
import { nameOf } from "./fact.ts";
import { withoutDates } from "./dates.ts";
import { keyOf, qualified } from "./normalise.ts";
import { predicateOf } from "./polarity.ts";
import { action, type Reading, readCopula, RELATIONS, type Said } from "./relations.ts";
import { partsOf } from "./subject.ts";
import { isPast } from "./verbs.ts";

/** What one statement is about, of what it tells the assistant to do. */
function instruction(text: string): Slots | null {
  const said = text.replace(/^please\s+/i, "").replace(/^from now on,?\s+|,?\s+from now on$|,?\s+please$/gi, "");
  const all = { subject: "assistant", qualifiers: [] };
  const [, language] =
    /^(?:always )?(?:answer|reply|respond|write|speak)(?: to .+?)? in ([\p{L}]+)$/iu.exec(said) ?? [];
  if (language !== undefined)
    return { ...all, relation: "language", value: keyOf(language), negated: false, single: true };
  const [, name] = /^(?:always )?(?:call|address) (?:the user|me|\p{Lu}\w+) (?:as )?(.+)$/u.exec(said) ?? [];
  if (name !== undefined) return { ...all, relation: "address", value: keyOf(name), negated: false, single: true };
  const [, stopped, what] = /^stop (\w+ing) (.+)$/i.exec(said) ?? [];
  if (stopped !== undefined) return { ...all, ...action(stopped, what ?? ""), negated: true, single: false };
  const [, lead = "", verb, object] =
    /^(?:(you (?:can|may)(?: now)?|always|never|don't|do not) (?:ever )?)?(\w+) (.+)$/i.exec(
      said.replaceAll("’", "'"),
    ) ?? [];
  if (verb === undefined || object === undefined) return null;
  const value = keyOf(object.replace(/ in (?:your|the) (?:answers|replies|responses|messages)$/i, ""));
  return {
    ...all,
    relation: action(verb, "").relation,
    value,
    negated: /^(?:never|don't|do not)/i.test(lead),
    single: false,
  };
}

const JOB = /^user\/(?:job|job titl|role|occup|profess|posit)$/;

function read(text: string, said: Said): Reading | null {
  for (const [pattern, reader] of RELATIONS) {
    const match = pattern.exec(text);
    const reading = match ? reader(match, said) : null;
    if (reading) return reading;
  }
  const [, progressive, doing = ""] = /^(?:is|are|has been) (\w{3,}ing)\b(?: (.*))?$/i.exec(text) ?? [];
  if (progressive !== undefined) return action(progressive, doing);
  const [, done, object = ""] = /^(?:has|have) ([\p{L}]+)(?: (.*))?$/u.exec(text) ?? [];
  if (done !== undefined && isPast(done) && !/^(?:had|got)$/i.test(done)) return action(done, object);
  const [, be, value] = /^(?:(is|are|'s|has become|became)) (.+)$/i.exec(text) ?? [];
  if (be !== undefined && value !== undefined) return readCopula(value, said);
  const [, verb, rest = ""] = /^([\p{L}'-]+)(?: (.*))?$/u.exec(text) ?? [];
  return verb === undefined || /^(?:has|is|was|are|were|had|can|be)$/i.test(verb) ? null : action(verb, rest);
}

/**
 * What a statement in the third person says, as subject, relation and value; null where the rules cannot tell, as of wishes,
 * plans, hearsay and languages other than English.
 */
export function slotsOf(statement: string, user?: Speaker): Slots | null {
  const text = statement.trim().replace(/[.!\s]+$/, "");
  const parts = partsOf(text, nameOf(user));
  if (!parts || /^you\b/i.test(text))
    return /^(?:please|from now on|always|never|don['’]t|do not|call|answer|reply|respond|write|you (?:can|may)|address|stop)\b/i.test(
      text,
    )
      ? instruction(text)
      : null;
  const predicate = predicateOf(parts.predicate);
  if (!predicate) return null;
  const [plain, , wrong] = /^(.*?)(, not (.+))?$/.exec(predicate.text)?.slice(1) ?? [predicate.text];
  const limited = qualified(plain ?? "");
  const { isUpdate } = predicate;
  const name = /^(.+)[/ ](?:first |full )?name$/.exec(parts.key)?.[1];
  const isJob = JOB.test(parts.key);
  const subject = name ?? (isJob ? "user" : parts.key);
  const said = { subject, negated: predicate.negated, isUpdate };
  // A day can be what is said, and not only what it is limited to.
  const onDay = read(plain ?? "", said);
  const { rest, qualifiers } = onDay?.relation === "date" ? { rest: plain ?? "", qualifiers: [] } : limited;
  const reading = onDay?.relation === "date" ? onDay : (read(withoutDates(rest), said) ?? read(rest, said));
  if (!reading) return null;
  return {
    subject: reading.subject ?? subject,
    relation: name !== undefined ? "name" : isJob ? "job" : reading.relation,
    value: reading.value,
    negated: predicate.negated !== (reading.negated ?? false),
    qualifiers: reading.qualifiers ?? qualifiers,
    single: isJob || (reading.single ?? false),
    ...((reading.replaces ?? wrong) && { replaces: reading.replaces ?? keyOf(wrong!) }),
  };
}
