// Work, study, roles and plans: other wordings, rewritten to those that the relations know.
import { ROLE } from "./nouns.ts";
import { AUX, NAME, OWN, type Rewrite, upperFirst, whole, WHO } from "./wordings.ts";

const POST = "(?:job|position|role|post|contract|gig|place)";
const A_POST = `(?:an?|the|their|his|her) (?:new |permanent |full-time |part-time |temporary )*`;
const NOTICE =
  "(?:handed in|gave in|given in|given|gave|put in|served|submitted) (?:their|his|her|in)? ?(?:notice|resignation)";
const role = (text: string) =>
  /^(?:the|their|the user's) /i.test(text) ? text.replace(/^their /, "the user's ") : `the user's ${text}`;
const isNow = (what: string, who: string) => `${upperFirst(role(what))} is now ${who}`;

export const workRewrites = (): readonly Rewrite[] => [
  // The end of work.
  [
    whole(`(?:.+?) (?:was|is|will be) (the user|${NAME})(?:'s)? last day (?:at|with|working for) (.+)`),
    (who, firm) => `${upperFirst(who)} has left ${firm}`,
  ],
  [
    whole(`(The user|${NAME})'s last day (?:at|with) (.+?) (?:was|is|will be) .+`),
    (who, firm) => `${who} has left ${firm}`,
  ],
  [whole(`${WHO} ${AUX}${NOTICE} (?:at|to|with) (.+)`), "$1 has left $2"],
  [whole(`${WHO} ${AUX}${NOTICE}`), "$1 has quit their job"],
  [
    whole(
      `${WHO} ${AUX}(?:stopped working|finished working|finished up|no longer works?|parted ways|finished|done) (?:at|for|with) (\\p{Lu}.+)`,
    ),
    "$1 has left $2",
  ],
  [
    whole(`${WHO} ${AUX}(?:laid off|fired|let go|dismissed|made redundant|sacked|axed) (?:from|by|at) (\\p{Lu}.+)`),
    "$1 has left $2",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:laid off|fired|let go|dismissed|made redundant|sacked|axed) (?:from|by|at) (?:the|their) (.+)`,
    ),
    "$1 has given up work at the $2",
  ],
  [
    whole(`${WHO} ${AUX}(?:sacked|axed|lost (?:their|his|her) job|out of work|out of a job|between jobs|jobless)`),
    "$1 is unemployed",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:quit|left|resigned from) (\\p{Lu}.+?) (?:to|and) (?:join|joined|work for|work at|go to|start at) (.+)`,
    ),
    "$1 now works at $3",
  ],
  [
    whole(`${WHO} is (?:now )?back (?:at work|in the office|from (?:\\p{Ll}+ )?leave|from holiday|from vacation)`),
    "$1 has given up leave",
  ],
  // A new job.
  [
    whole(
      `${WHO} ${AUX}(?:start|starts|started|starting|begin|begins|began|beginning|hired|taken on|employed|appointed|working|work|works|qualified|retrained)(?: (?:work|working|again|out))? as (?:an? |the )?(.+?)(?: (?:next|this) \\p{Ll}+)?`,
    ),
    "$1 now works as $2",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:got|get|gets|taken|took|accepted|landed|found|secured|started|offered and accepted) ${A_POST}(?:\\p{Ll}+ )?${POST} (?:at|with|for) (\\p{Lu}.+)`,
    ),
    "$1 now works at $2",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:got|get|taken|took|accepted|landed|found|secured|started) ${A_POST}${POST} as (?:an? |the )?(.+)`,
    ),
    "$1 now works as $2",
  ],
  [whole(`${WHO} is (?:now )?(?:employed|on the payroll|an employee) (?:by|at|with|of) (.+)`), "$1 works at $2"],
  [
    whole(`${WHO} works at (\\p{Lu}\\S*(?: \\p{Lu}\\S*)*) as (?:an? |the )?(.+)`),
    (who, firm, job) => (new RegExp(`^${ROLE}$`, "i").test(job) ? `${who} is a ${job} at ${firm}` : null),
  ],
  // Times and ways of work.
  [
    whole(
      `${WHO} ${AUX}(?:work|works|working|gone|went|go|moved|switched|changed|put|is|dropped|cut)(?: down)?(?: back)?(?: to| on| onto)? (full|part)[- ]time(?: work| hours)?(?: again)?`,
    ),
    (who, time) => `${who} works ${time} time`,
  ],
  [
    whole(
      `${WHO} ${AUX}(?:work|works|working|cut down to|down to|moved to|switched to|dropped to) (\\d|one|two|three|four|five|six|seven) days a week`,
    ),
    "$1 works $2 days a week",
  ],
  [
    whole(
      `(?:They|The user's (?:boss|manager|company)|${NAME}) ${AUX}(?:put|moved|switched) the user (?:on|onto|to) ((?:the )?(?:day|night|early|late|morning|evening)s?(?: shifts?)?)`,
    ),
    shift =>
      `The user now works ${shift
        .replace(/^the /, "")
        .replace(/s$/, "")
        .replace(/ shift$/, "")} shifts`,
  ],
  [
    whole(
      `${WHO} ${AUX}(?:work|works|working|moved|switched|changed|gone|went|is|put)(?: back)?(?: on| to| onto)? ((?:the )?(?:day|night|early|late|morning|evening)s?)(?: shifts?)?`,
    ),
    (who, shift) => `${who} works ${shift.replace(/^the /, "").replace(/s$/, "")} shifts`,
  ],
  [/ (works?|working) from (?:home|the home office)\b/u, " $1 remotely"],
  [
    whole(`${WHO} (?:drives (\\p{Ll}+?)(?:es|s)?|drives an? (\\p{Ll}+)) (?:for a living|professionally)`),
    (who, many, one) => `${who} is a ${one ?? many} driver`,
  ],
  [
    whole(`${WHO} (teach|paint|sing|farm|bak|danc|writ|coach|photograph)(?:es|s) (?:for a living|professionally)`),
    (who, verb) => `${who} is a ${verb}er`,
  ],
  [/^(.+?) (?:works for (?:them|him|her)sel(?:f|ves)|is (?:his|her|their) own boss)$/u, "$1 is self-employed"],
  [/^(.+?) (?:freelances|works freelance|is freelancing)$/u, "$1 is a freelancer"],
  [/^(.+?) freelances as an? (.+)$/u, "$1 is a freelance $2"],
  [
    /^(The user|The user's \p{Ll}+|\p{Lu}\p{Ll}+) (?:teaches|is teaching) (\p{L}+)$/u,
    (who, what) => (/^(?:at|in|for|people|children|kids|yoga)$/.test(what) ? null : `${who} is a ${what} teacher`),
  ],
  // Roles.
  [
    whole(`(${NAME}) ${AUX}(?:taken over|took over|succeeded|followed|replaced)(?: from)?(?: (${NAME}))? as (.+)`),
    (who, _, what) => isNow(what, who),
  ],
  [whole(`(${NAME}) ${AUX}replaced by (${NAME}) as (.+)`), (_, who, what) => isNow(what, who)],
  [
    whole(`(?:${NAME}) ${AUX}(?:handed|passed)(?: over)? (?:the )?(?:role of )?(.+?) (?:over )?to (${NAME})`),
    (what, who) =>
      /\b(?:lead|manager|management|chair|presidency|captaincy|role)\b/.test(what)
        ? isNow(what.replace(/management/, "manager"), who)
        : null,
  ],
  [
    whole(`(${NAME}) is (?:now )?(?:the|our) (?:new|current) (\\p{Ll}[\\p{Ll} -]*?)(?: now)?`),
    (who, what) => isNow(what, who),
  ],
  [
    whole(
      `(${NAME}) (?:will be|is going to be|is|is becoming|becomes|became|has become) (the user's) (?:new )?(\\p{Ll}[\\p{Ll} -]*?)(?: now)?`,
    ),
    (who, owner, what) =>
      /\b(?:friend|mate|brother|sister|son|daughter|cousin|colleague|neighbou?r|uncle|aunt|ex|cat|dog|pet)\b/.test(what)
        ? null
        : `${upperFirst(owner)} ${what} is ${who}`,
  ],
  [whole(`${WHO} (?:is|was) the (\\p{Lu}{2,4}|${ROLE}) of (?:the user's|the) company`), "$1 is the user's $2"],
  [whole(`${WHO} (?:is|was) the user's (\\p{Lu}{2,4})`), "The user's $2 is $1"],
  [
    whole(
      `${WHO} ${AUX}(?:stepped down|stood down|resigned|retired|quit|stepped back|removed|withdrawn) (?:as|from being) (?:the |an? |their |the user's )?(\\p{Lu}{2,4}|[\\p{Ll} -]+?)(?: of (?:the|their) company)?`,
    ),
    (who, what) => (who === "The user" ? null : `${who} resigned as ${what}`),
  ],
  [whole(`As of \\p{Lu}\\p{Ll}+,? the user (.+)`), "The user now $1"],
  [whole(`${WHO} (now |)reports to (${NAME})(?: now)? (?:instead of|rather than|not) ${NAME}`), "$1 $2reports to $3"],
  // Study and plans.
  [
    whole(
      `${WHO} ${AUX}(?:pulled out of|backed out of|withdrew from|withdrawn from|bailed on|decided against|dropped out of|gave up on|given up on|flunked out of|scrapped|shelved|called off|abandoned|stopped attending|finished with|lost interest in|bored of|fed up with|done with|over|gone right off|gone off|went off|grown out of|fallen out of love with|stopped taking|taken off|off|weaned off|come off|came off|cut out|packed in|jacked in|binned|chucked in)(?: (?:${OWN}|the idea of|the plan to|plans? for|right))? (.+)`,
    ),
    (who, what) => (/^of\b/.test(what) ? null : `${who} has given up ${what}`),
  ],
  [
    whole(
      `${WHO} ${AUX}(?:handed in|turned in|submitted|finished|completed|wrapped up|defended) (${OWN}) (thesis|dissertation|PhD|master's|degree|training|apprenticeship|internship|course|book|studies|novel|placement)(.*)`,
    ),
    (who, own, what, more) => `${who} has given up ${own} ${what}${more}`,
  ],
  [
    whole(
      `(?:The user's doctor|The doctor|The doctors|They|Dr\\.? ${NAME}) ${AUX}(?:took|taken|weaned) the user off (.+)`,
    ),
    "The user has given up $1",
  ],
];
