import { dayKey } from "./dates.ts";
import { stem } from "../embedding/stem.ts";
import { keyOf, timeKey } from "./normalise.ts";
import { ATTRIBUTE, DIET, MARITAL, NO_NAME, REPEATED, ROLE, ROLES, SEVERAL } from "./nouns.ts";

export interface Reading {
  /** Instead of the statement's own. */
  subject?: string;
  relation: string;
  value: string;
  negated?: boolean;
  single?: boolean;
  replaces?: string;
  qualifiers?: string[];
}

export interface Said {
  subject: string;
  negated: boolean;
  isUpdate: boolean;
}

type Reader = (match: RegExpExecArray, said: Said) => Reading | null;

const CONTRASTS = [
  "dark light",
  "window aisl",
  "morn afternoon even",
  "hot cold ice",
  "short long",
  "formal inform casual",
  "earli late",
  "paper digit",
  "metric imperi",
  "manual automat",
  "remot onsit hybrid",
  "public privat",
].map(words => new Set(words.split(" ")));

const isPlace = (place: string) =>
  /^\p{Lu}/u.test(place) || /^the (?:countryside|suburbs|city|coast|mountains|country)\b/.test(place);
/** The name at the beginning of more: "Acme as an engineer". */
const headOf = (text: string) =>
  text.replace(/(?:,| (?:as|in|on|since|for|with|near|from|until|at|because|after|where|which|who|to)) .*$/i, "");
const toOne = (relation: string, value: string): Reading => ({ relation, value: keyOf(value), single: true });
const toMany = (relation: string, value: string): Reading => ({ relation, value: keyOf(value) });

function residence(place: string, from?: string): Reading | null {
  if (!isPlace(place)) return null;
  const left = from === undefined ? {} : { replaces: keyOf(headOf(from)) };
  return { ...toOne("live in", headOf(place)), ...left };
}

function preference(text: string): Reading {
  const [, winner, loser] = /^(.+?) (?:over|to|rather than|instead of|more than) (.+)$/i.exec(text) ?? [];
  if (winner !== undefined && loser !== undefined) {
    return toOne(`prefer ${[keyOf(winner), keyOf(loser)].sort().join(" or ")}`, winner);
  }
  const words = keyOf(text).split(" ");
  const contrast = words.length > 1 ? CONTRASTS.find(set => set.has(words[0]!)) : undefined;
  if (!contrast) return toMany("prefer", text);
  return { relation: `prefer ${[...contrast].join("/")} ${words.slice(1).join(" ")}`, value: words[0]!, single: true };
}

/** "X is Y" of something that is not the user. */
function copula(value: string, { subject, isUpdate }: Said): Reading {
  const date = dayKey(value.replace(/^(?:on|at|in|by|due on|due) /i, ""));
  if (date !== null) return { relation: "date", value: date, single: isUpdate || !REPEATED.test(subject) };
  if (ROLES.test(subject) && /^(?:Dr\.? |Mr\.? |Mrs\.? |Ms\.? )?\p{Lu}/u.test(value)) return toOne("name", value);
  if (ATTRIBUTE.test(subject) || /\bfavorit\b/.test(subject)) {
    const [, main = value, limit] = /^(.+?) (?:for|per) (.+)$/.exec(value) ?? [];
    return { ...toOne("be", main), ...(limit !== undefined && { qualifiers: [keyOf(limit)] }) };
  }
  const isName = /^\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)?$/u.test(value);
  if (isName && subject.startsWith("user/")) return { ...toOne("name", value), single: !SEVERAL.test(subject) };
  return { ...toMany("be", value), single: isUpdate && isName };
}

/** In this order; what is read by none is a verb and its object. */
export const RELATIONS: [RegExp, Reader][] = [
  [
    /^(?:lives|live|living|is living|is based|resides|is located|has lived|has been living) (?:in|at) (.+)$/i,
    ([, place]) => residence(place!),
  ],
  [
    /^(?:has )?(?:just )?(?:moved|relocated|emigrated|move|relocate) (?:back )?(?:from (.+?) )?to (.+)$/i,
    ([, from, place]) => residence(place!, from),
  ],
  [
    /^(?:was|has been|got|is|were) (?:moved|rescheduled|postponed|delayed|brought forward|pushed(?: back)?) (?:from .+ )?(?:to|until|till|for) (.+)$/i,
    ([, date]) => ({ relation: "date", value: dayKey(date!) ?? keyOf(date!), single: true }),
  ],
  [
    /^(?:takes place|happens|starts|begins|opens|is due|is scheduled|is planned) (?:on|at|in|for) (.+)$/i,
    ([, date]) => (dayKey(date!) ? { relation: "date", value: dayKey(date!)!, single: true } : null),
  ],
  [/^was promoted to (.+)$/i, ([, job]) => toOne("job", job!)],
  [/^(?:works|work|is working|is employed|worked as) as (?:an? |the )?(.+)$/i, ([, job]) => toOne("job", headOf(job!))],
  [
    /^(?:works|work|is working|is employed|started working|has started working|has been working|working) (?:at|for|with|by) (?:.+ called )?(\p{Lu}.*)$/iu,
    ([, firm]) => (/^\p{Lu}/u.test(firm!) ? toOne("work at", headOf(firm!)) : null),
  ],
  [
    /^(?:has )?(?:just |recently )?(?:joined|started at) (.+)$/i,
    ([, firm]) =>
      /^\p{Lu}/u.test(firm!)
        ? // Clubs and services are joined too.
          { ...toOne("work at", headOf(firm!)), single: / as /.test(firm!) }
        : null,
  ],
  [
    /^(?:has )?(?:left|quit|lost|resigned from) (?:their|his|her|the) job (?:at|with) (.+)$/i,
    ([, firm]) => ({ ...toOne("work at", headOf(firm!)), negated: true }),
  ],
  [
    /^(?:has )?(?:left|quit|resigned from|was fired from|was laid off from|leaves) (.+)$/i,
    ([, firm]) => (/^\p{Lu}/u.test(firm!) ? { ...toOne("work at", headOf(firm!)), negated: true } : null),
  ],
  [
    /^(?:sold|got rid of|lost|gave away|cancelled|canceled|returned|closed) (?:their|the|his|her|our) (.+)$/i,
    ([, thing]) => ({ ...toMany("have", thing!), negated: true }),
  ],
  [/^broke up with (.+)$/i, ([, who]) => ({ ...toMany("do date", who!), negated: true })],
  [
    /^(?:has )?(?:stopped|quit|gave up|ceased|stop) (\w+ing)\b ?(.*)$/i,
    ([, verb, rest]) => ({ ...action(verb!, rest!), negated: true }),
  ],
  [/^(?:has )?(?:gave up|quit|given up|stopped) (.+)$/i, ([, thing]) => ({ ...toMany("any", thing!), negated: true })],
  [
    /^(?:has )?(?:switched|changed|migrated)(?: (?:from (.+?) to (.+)|to (.+?) from (.+)))$/i,
    ([, a, b, c, d]) => ({ ...toMany("do us", b ?? c!), replaces: keyOf(a ?? d!) }),
  ],
  [/^replaced (.+) with (.+)$/i, ([, a, b]) => ({ ...toMany("do us", b!), replaces: keyOf(a!) })],
  [/^(?:uses|use) (.+) instead of (.+)$/i, ([, a, b]) => ({ ...toMany("do us", a!), replaces: keyOf(b!) })],
  [
    /^(?:is (\d{1,3})(?: years? old)?|turned (\d{1,3})|is turning (\d{1,3}))$/i,
    ([, a, b, c]) => toOne("age", a ?? b ?? c!),
  ],
  [
    /^is (?:an? )?(one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) years? old$/i,
    ([, age]) => toOne("age", age!),
  ],
  [new RegExp(`^(?:is|got|has been|became) (?:an? )?(${DIET})s?$`, "i"), ([, diet]) => toOne("diet", diet!)],
  [
    /^(?:is|got) (?:married) to (\p{Lu}.*)$/iu,
    ([, who], { subject }) => ({ ...toOne("name", headOf(who!)), subject: `${subject}/${keyOf("spouse")}` }),
  ],
  [new RegExp(`^(?:is|got|has been) (${MARITAL})\\b`, "i"), ([, status]) => toOne("marital", status!)],
  [/^is allergic to (.+)$/i, ([, what]) => toMany("allergy", what!)],
  [/^has an? (.+) allergy$/i, ([, what]) => toMany("allergy", what!)],
  [
    /^(?:is )?(?:an? )?(non-)?smoker$/i,
    ([, non]) => ({ relation: "do smoke", value: "", ...(non && { negated: true }) }),
  ],
  [
    /^reports to (.+)$/i,
    ([, who], { subject }) => ({ ...toOne("name", who!), subject: `${subject}/${keyOf("manager")}` }),
  ],
  [
    /^(?:is|goes|went) (?:called|named|by)(?: the name)? (.+)$/i,
    ([, name], { subject }) => ({ ...toOne("name", name!), single: !SEVERAL.test(subject) }),
  ],
  [
    /^(?:weighs|weigh) (.+)$/i,
    ([, weight], { subject }) => ({ ...toOne("be", weight!), subject: `${subject}/${keyOf("weight")}` }),
  ],
  [
    /^(?:was|were) born on (.+)$/i,
    ([, date], { subject }) => ({
      relation: "date",
      value: dayKey(date!) ?? keyOf(date!),
      single: true,
      subject: `${subject}/${keyOf("birth date")}`,
    }),
  ],
  [/^(?:was|were) born in (.+)$/i, ([, place]) => toOne(/^\d{4}$/.test(place!) ? "birth year" : "birthplace", place!)],
  [/^(?:is|comes|are|come) (?:originally )?from (.+)$/i, ([, place]) => toMany("origin", place!)],
  [/^is on the (.+) team$/i, ([, team], { subject }) => ({ ...toOne("be", team!), subject: `${subject}/team` })],
  [
    /^(?:wakes|gets|wake|get) up at (.+)$/i,
    ([, time]) => ({ relation: "wake up", value: timeKey(time!), single: true }),
  ],
  [
    /^(?:goes|go) to (?:bed|sleep) at (.+)$/i,
    ([, time]) => ({ relation: "go to bed", value: timeKey(time!), single: true }),
  ],
  [
    /^(starts|finishes|stops|ends|eats|has) (work|school|breakfast|lunch|dinner) at (.+)$/i,
    ([, verb, what, time]) => ({
      relation: `${stem(verb!.toLowerCase())} ${what!}`,
      value: timeKey(time!),
      single: true,
    }),
  ],
  [/^(?:prefers|prefer) (.+)$/i, ([, what]) => preference(what!)],
  [
    /^(?:likes|like|loves|love|enjoys|enjoy|adores|adore|is fond of|is keen on|is into|is (?:an? )?(?:big |huge |great )?fan of|are fans of) (.+)$/i,
    ([, what]) => toMany("like", what!),
  ],
  [
    /^(?:hates|hate|dislikes|dislike|detests|detest|loathes|can't stand|cannot stand|can't bear|is tired of|is sick of) (.+)$/i,
    ([, what]) => ({ ...toMany("like", what!), negated: true }),
  ],
  [
    /^(?:has|have|has got|have got|owns|own|is the owner of) (?:only )?(two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) ([\p{L} -]+?)s?$/iu,
    ([, count, what]) => toOne(`count ${keyOf(what!)}`, count!),
  ],
  [
    /^(?:has|have|has got|have got|owns|own) (?:got )?(.+)$/i,
    ([, what]) => toMany("have", headOf(what!) === what ? what : what!),
  ],
  [/^can speak (.+)$/i, ([, what]) => toMany("do speak", what!)],
  [
    new RegExp(`^(?:is|became|was) (?:an? )?(${ROLE})$`, "i"),
    ([, job], { isUpdate }) => ({ ...toOne("job", job!), single: isUpdate }),
  ],
  [
    new RegExp(`^(?:is|became) (?:now )?the (head|${ROLE}) (of|for) (.+)$`, "i"),
    ([, job, , of]) => toOne("job", `${job} ${of}`),
  ],
  [
    /^(runs|listens|takes|costs|lasts|holds|serves|expires|closes|opens|charges) (?:(on|at|for|in) )?(?:the )?((?:port |version |about |around )?)([$€£]?\d[\w.,:%]*.*)$/i,
    ([, verb, , unit, value]) => toOne(`do ${stem(verb!.toLowerCase())} ${keyOf(unit!)}`.trim(), value!),
  ],
];

/** Any other verb and its object. */
export function action(verb: string, object: string): Reading {
  const root = stem(verb.toLowerCase());
  const known = keyOf(object);
  if (root === "like" || root === "enjoi" || root === "love") return toMany("like", object);
  if (root === "have" || root === "ha") return toMany("have", object);
  return { relation: `do ${root}`, value: known };
}

export function readCopula(value: string, said: Said): Reading {
  if (said.subject !== "user") return copula(value, said);
  const isName = /^\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+)?$/u.test(value) && !NO_NAME.test(value);
  return toMany(isName ? "name" : "be", value);
}
