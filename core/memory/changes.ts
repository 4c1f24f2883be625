// Statements that something has changed. They may name the old value, and may leave out the new one.
import { dayKey } from "./dates.ts";
import { keyOf } from "./normalise.ts";
import { action, type Reader, type Reading, residence, toMany, toOne } from "./readings.ts";
import { timeOfDay } from "./values.ts";

const PASSIVE = "(?:(?:has|have|had) been |(?:has|have|was|were|is|are|got|has gotten) )?(?:now |just |recently )?";
const MOVED =
  "(?:moved(?: up| forward)?|rescheduled|rebooked|rearranged|put (?:off|back)|postponed|delayed|brought forward|pushed(?: back| out)?|shifted|extended|changed|raised|increased|cut|reduced|lowered|decreased|bumped(?: up)?|dropped|upgraded|downgraded|went up|gone up|went down|gone down|rose|risen|fell|fallen|grown|grew|shrunk|shrank|slipped|slid|switched|shortened|lengthened|prolonged|set|adjusted|corrected|doubled|halved)";
const LOST =
  "(?:was|were|is|are|has been|have been|got) (?:stolen|sold|cancelled|canceled|called off|scrapped)|(?:has |have )?(?:died|passed away)|is (?:dead|gone)";
const GIVEN_UP =
  "(?:gave up|quit|given up|stopped|dropped out of|dropped|ditched|abandoned|uninstalled|deleted|got over|came off|(?:is|are) (?:done with|over|off)|(?:has |have )?(?:gone off|went off|grown tired of|lost interest in|had enough of|outgrown|moved on from))";

/** Reads the new value of a thing according to the kind of the value. */
function becomes(value: string): Reading | null {
  const date = dayKey(value.replace(/^(?:on|by) /i, ""));
  if (date !== null) return { relation: "date", value: date, single: true };
  const time = timeOfDay(value);
  if (time !== null && /:/.test(value)) return { relation: "time", value: time, single: true };
  if (/^\S+\.[a-z]{2,}(?:[:/]\S*)?$/i.test(value)) return toOne("be at", value);
  return /^[$€£]?\d/.test(value) && !/^\d{1,2}$/.test(value) ? toOne("be", value) : null;
}

/** "Pushed back to 10": these verbs concern times, so a bare number is an hour. */
function hourOf(whole: string, value: string): Reading | null {
  const isOfTimes = /\b(?:pushed|brought forward|postponed|rescheduled|moved|delayed|shifted)\b/i.test(whole);
  const time = isOfTimes && /^\d{1,2}$/.test(value) ? timeOfDay(value) : null;
  return time === null ? null : { relation: "time", value: time, single: true };
}

const of = (subject: string, owner: string, noun: string) =>
  /^the user's$/i.test(owner)
    ? `user/${keyOf(noun)}`
    : /^the$/i.test(owner)
      ? keyOf(noun)
      : `${subject}/${keyOf(noun)}`;

const negated = (reading: Reading): Reading => ({ ...reading, negated: true });
const replacing = (b: string, a: string): Reading => {
  const doing = /^(\w+ing)\b ?(.*)$/.exec(b);
  return { ...(doing ? action(doing[1]!, doing[2]!) : toMany("do us", b)), replaces: keyOf(a) };
};

/** These relations are tried before the others. */
export const CHANGES: [RegExp, Reader][] = [
  [
    new RegExp(`^${PASSIVE}${MOVED} (?:from .+? )?(?:to|until|till|for) (.+)$`, "i"),
    ([whole, value], { subject }) => {
      const reading = becomes(value!) ?? hourOf(whole, value!) ?? (/^\d/.test(value!) ? toOne("be", value!) : null);
      return subject === "user" || !reading ? null : { ...reading, isUpdate: true };
    },
  ],
  [
    new RegExp(`^${PASSIVE}(?:moved|relocated|shifted|transferred) (?:from .+? )?to ((?:an?|the|their) .+)$`, "i"),
    ([, place], { subject }) => (subject === "user" ? null : { ...toMany("be", `in ${place!}`), isUpdate: true }),
  ],
  [
    new RegExp(`^${PASSIVE}(?:renamed|rebranded)(?: from .+?)? (?:to|as|into) (.+)$`, "i"),
    ([, name], { subject }) => (subject === "user" ? null : toOne("name", name!)),
  ],
  [
    /^(?:has |have )?(?:changed|renamed|updated|raised|increased|reduced|lowered|moved|shifted|pushed(?: back)?|extended|postponed|rescheduled|delayed) (their|the|his|her|the user's) (.+?) (?:from .+? )?(?:to|until|till) (.+)$/i,
    ([whole, owner, noun, value], { subject }) => {
      const isName = /^(?:has |have )?renamed/i.test(whole);
      const reading = isName ? toOne("name", value!) : (becomes(value!) ?? toOne("be", value!));
      return { ...reading, subject: of(subject, owner!, noun!) };
    },
  ],
  [
    /^(?:has |have )?(?:grown|grew|expanded|shrunk|shrank|are up|is up|are down|is down) to (\d+) (.+)$/i,
    ([, count, noun]) => toOne(`count ${keyOf(noun!)}`, count!),
  ],
  [
    new RegExp(`^(?:${LOST})$`, "i"),
    (_, { subject }) => {
      const [, owner, thing] = /^(.+)\/([^/]+)$/.exec(subject) ?? [];
      return owner === undefined
        ? { relation: "date", value: "", negated: true }
        : { subject: owner, relation: "have", value: thing!, negated: true };
    },
  ],
  [
    /^(?:has |have )?(?:sold|got rid of|lost|gave away|given away|donated|returned|cancelled|canceled|closed|scrapped|threw out|thrown out|ended) (?:their|the|his|her|our) (.+)$/i,
    ([, thing]) => negated(toMany("have", thing!)),
  ],
  [
    /^(?:has |have )?(?:(?:gave|given|threw|thrown) (?:their|the|his|her|our) (.+) (?:away|out)|(?:got|had) (?:their|the|his|her|our) (.+) (?:removed|taken out|stolen))$/i,
    ([, away, out]) => negated(toMany("have", away ?? out!)),
  ],
  [
    /^(?:has |have )?(?:grown (?:fond of|to like|to love)|warmed to|fallen in love with|fell in love with|got(?:ten)? into|become an? (?:big |huge )?fan of|became an? (?:big |huge )?fan of) (.+)$/i,
    ([, what]) => toMany("like", what!),
  ],
  [/^(?:has )?(?:broke|broken|split) up with (.+)$/i, ([, who]) => negated(toMany("partner", who!))],
  [
    /^(?:has )?(?:since )?(?:moved (?:out of|away from)|left) (?=\p{Lu})(.+)$/iu,
    ([whole, place]) => (/\bleft\b/i.test(whole) ? null : negated(residence(place!) ?? toMany("live in", place!))),
  ],
  [/^(?:is|are|lives|live) in (?=\p{Lu})(.+)$/u, ([, place], said) => (said.negated ? residence(place!) : null)],
  [/^(?:has )?(?:just )?moved to (.+?) from (.+)$/i, ([, place, from]) => residence(place!, from)],
  [/^(?:has )?(?:settled|resettled)(?: down)? in (.+)$/i, ([, place]) => residence(place!)],
  [
    /^(?:has )?(?:stopped|quit|gave up|given up|ceased|stop) (\w+ing)\b ?(.*)$/i,
    ([, verb, rest]) => negated(action(verb!, rest!)),
  ],
  [
    /^(?:has )?(?:replaced|swapped|traded|exchanged|ditched|dropped|abandoned) (.+?) (?:with|by|for|in favou?r of) (.+)$/i,
    ([, a, b]) => replacing(b!, a!),
  ],
  [
    new RegExp(`^(?:has )?${GIVEN_UP} (?!their job)(.+)$`, "i"),
    ([whole, thing]) => (/^(?:has )?quit \p{Lu}/u.test(whole) ? null : negated(toMany("any", thing!))),
  ],
  [
    /^(?:has )?(?:(?:started|began|begun|resumed|taken up|took up) (\w+ing)|(?:come|came|learned|learnt|started|began|begun|taken|took) to (?!\w+ing\b)(\w+))\b ?(.*)$/i,
    ([, doing, verb, rest]) => (/^work/i.test(doing ?? verb!) ? null : action(doing ?? verb!, rest!)),
  ],
  [
    /^(?:has )?(?:switched|changed|went|moved|dropped) (?:back )?(?:from (?:full|part)[- ]time )?to (full|part)[- ]?time\b.*$/i,
    ([, time]) => toOne("work time", time!),
  ],
  [/^(?:works|work|is working) (full|part)[- ]?time\b.*$/i, ([, time]) => toOne("work time", time!)],
  [
    /^(?:has )?(?:switched|changed|migrated)(?: (?:from (.+?) to (.+)|to (.+?) from (.+)))$/i,
    ([, a, b, c, d]) => replacing(b ?? c!, a ?? d!),
  ],
  [
    /^(?:has |have )?(?:just |finally |recently )?(?:found|got|gotten|landed|started) (?:an? |the )?(?:new )?(?:job|work|employment)\b(?! at| with).*$/i,
    () => toOne("be employ", "employed"),
  ],
  [/^(?:has )?(?:switched|changed) to (\w+ing)\b ?(.*)$/i, ([, doing, rest]) => action(doing!, rest!)],
  [
    /^(?:has )?(?:upgraded|updated|switched|migrated|changed)(?: over| across)? to (.+)$/i,
    ([, what]) => toMany("do us", what!),
  ],
];
