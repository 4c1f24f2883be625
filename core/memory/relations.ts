import { preference, when } from "./copula.ts";
import { dayKey } from "./dates.ts";
import { stem } from "../embedding/stem.ts";
import { keyOf, timeKey } from "./normalise.ts";
import { DIET, MARITAL, ROLE, SEVERAL } from "./nouns.ts";
import { headOf, type Reader, residence, toMany, toOne } from "./readings.ts";
import { isPast } from "./verbs.ts";

/** Relations are tried in this order. A statement that no relation reads becomes a verb and its object. */
export const RELATIONS: [RegExp, Reader][] = [
  [/^(?:lives|live) with (.+)$/i, ([, whom]) => toOne("live with", whom!)],
  [/^(?:works|work) (\p{L}+) shifts?$/iu, ([, shift]) => toOne("work shift", shift!)],
  [/^(?:works|work) (\d+) days a week$/i, ([, days]) => toOne("work time", `${days} days`)],
  [/^fell out with (.+)$/i, ([, whom]) => ({ ...toMany("friend", whom!), negated: true })],
  [
    /^(?:lives|live|living|is living|is based|resides|is located|has lived|has been living) (?:in|at) (.+)$/i,
    ([, place]) => residence(place!),
  ],
  [
    /^(?:has )?(?:just )?(?:moved|relocated|emigrated|move|relocate) (?:back )?(?:from (.+?) )?to (.+)$/i,
    ([, from, place]) => residence(place!, from),
  ],
  [
    /^(?:takes? place|happens?|starts?|begins?|opens?|leaves?|departs?|arrives?|expires?|ends?|is held|are held|is due|is scheduled|is planned) (?:on|at|in|for) (.+)$/i,
    ([whole, value], { subject }) => when(whole, value!, subject),
  ],
  [/^was promoted to (.+)$/i, ([, job]) => toOne("job", job!)],
  [/^(?:works|work|is working|is employed|worked as) as (?:an? |the )?(.+)$/i, ([, job]) => toOne("job", headOf(job!))],
  [
    /^(?:works|work|is working|is employed|started working|has started working|has been working|working) (?:at|for|with|by) (?:.+ called )?(\p{Lu}.*)$/iu,
    ([, firm]) => (/^\p{Lu}/u.test(firm!) ? toOne("work at", headOf(firm!)) : null),
  ],
  [
    /^(?:has )?(?:(?:got|found|has|took|accepted|landed|started|gotten) (?:an? |the )?(?:new )?(?:\w+ )?(?:job|position|role) (?:at|with)|was hired by|got hired by|was hired at) (?=\p{Lu})(.+)$/iu,
    ([, firm]) => toOne("work at", headOf(firm!)),
  ],
  [
    /^(?:has )?(?:just |recently )?(?:joined|started at) (.+)$/i,
    ([, firm]) =>
      /^\p{Lu}/u.test(firm!)
        ? // People join clubs and services too.
          { ...toOne("work at", headOf(firm!)), single: / as /.test(firm!) }
        : null,
  ],
  [
    /^(?:has )?(?:left|quit|lost|resigned from) (?:their|his|her|the) (?:job|position) (?:at|with) (.+)$/i,
    ([, firm]) => ({ ...toOne("work at", headOf(firm!)), negated: true }),
  ],
  [
    /^(?:has )?(?:left|quit|resigned from|was fired from|was laid off from|leaves) (.+)$/i,
    // A person who leaves at an hour comes back.
    ([, firm]) =>
      / (?:at|before|after|around) (?:\d|noon|midnight|dawn|lunch)| (?:this|early|late) /i.test(firm!)
        ? null
        : /^\p{Lu}/u.test(firm!)
          ? { ...toOne("work at", headOf(firm!)), negated: true }
          : null,
  ],
  [
    /^(?:is (\d{1,3})(?: years? old)?|turned (\d{1,3})|is turning (\d{1,3}))$/i,
    ([, a, b, c]) => toOne("age", a ?? b ?? c!),
  ],
  [
    new RegExp(`^(?:is|got|has been|became|went|has gone|turned|has turned|has become) (?:an? )?(${DIET})s?$`, "i"),
    ([, diet]) => toOne("diet", diet!),
  ],
  [
    /^(?:is|got) (?:married) to (\p{Lu}.*)$/iu,
    ([, who], { subject }) => ({ ...toOne("name", headOf(who!)), subject: `${subject}/${keyOf("spouse")}` }),
  ],
  [new RegExp(`^(?:is|got|has been) (${MARITAL})\\b`, "i"), ([, status]) => toOne("marital", status!)],
  [/^is allergic to (.+)$/i, ([, what]) => toMany("allergy", what!)],
  [/^is (?:an? )?(\d{1,3})(?:-year-old)$/i, ([, age]) => toOne("age", age!)],
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
    ([, name], { subject, isUpdate }) => ({ ...toOne("name", name!), single: isUpdate || !SEVERAL.test(subject) }),
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
    /^(?:likes|like|loves|love|enjoys|enjoy|adores|adore|is fond of|is keen on|is into|(?:is|are) (?:crazy|mad|passionate|enthusiastic) about|is (?:an? )?(?:big |huge |great )?fan of|are fans of) (.+)$/i,
    ([, what]) => toMany("like", what!.replace(/^to (?=\p{Ll})/u, "")),
  ],
  [
    /^(?:hates|hate|dislikes|dislike|detests|detest|loathes|can't stand|cannot stand|can't bear|is tired of|is sick of) (.+)$/i,
    ([, what]) => ({ ...toMany("like", what!), negated: true }),
  ],
  [
    /^(?:has|have|has got|have got|owns|own|is the owner of) (?:only |just )?(one|\d{1,6}) (?!(?:gb|mb|tb|kb|kg|cm|km|ms|min|h|s|lb)\b)([\p{L} -]+?)s?$/iu,
    ([, count, what]) => toOne(`count ${keyOf(what!)}`, count!),
  ],
  [
    /^(?:has|have|has got|have got|owns|own|is the owner of) (?:got )?(.+)$/i,
    // "Has visited" does not state possession.
    ([whole, what]) => (/^ha/i.test(whole) && isPast(what!.split(" ")[0]!) ? null : toMany("have", what!)),
  ],
  [/^can speak (.+)$/i, ([, what]) => toMany("do speak", what!)],
  [
    new RegExp(`^(?:is|became|was) (?:an? )?(${ROLE})(?: since .+)?$`, "i"),
    ([, job], { isUpdate }) => ({ ...toOne("job", job!), single: isUpdate }),
  ],
  [
    new RegExp(`^(?:is|became|was) (?:an? )?(${ROLE}) (?:at|for|with) (\\p{Lu}.*)$`, "iu"),
    ([, job, firm]) => (/^\p{Lu}/u.test(firm!) ? toOne("job", `${job} at ${firm}`) : null),
  ],
  [
    new RegExp(`^(?:is|became) (?:now )?the (head|${ROLE}) (of|for) (.+)$`, "i"),
    ([, job, , of]) => toOne("job", `${job} ${of}`),
  ],
  [
    /^(runs|listens|takes|costs|lasts|holds|serves|expires|closes|opens|charges) (?:(on|at|for|in) )?(?:the )?((?:port |version |about |around )?)([$€£]?\d[\w.,:%]*.*)$/i,
    // With several things, each has its own quantity.
    ([, verb, , unit, value]) => ({
      ...toOne(`do ${stem(verb!.toLowerCase())} ${keyOf(unit!)}`.trim(), value!),
      single: !/ of /.test(value!),
    }),
  ],
];
