// News of people, things and work in other wordings, rewritten to those that the relations know.
import { AUX, NAME, OWN, type Rewrite, whole, WHO } from "./wordings.ts";

const SCHOOL =
  "(?:(?:primary|elementary|secondary|middle|high|grammar|nursery|boarding|comprehensive|vocational|graduate|law|medical|business|art|music) school|kindergarten|preschool|nursery|university|college)";
const SHIFT = "(early|late|day|night|evening|morning|weekend)";
const SOMEBODY = `(?:(?:Mr|Ms|Mrs|Dr|Prof)\\.? )?${NAME}`;
const COUNTED =
  "(?:people|employees|staff|developers|engineers|designers|members|users|seats|licen[cs]es|rooms|desks|floors|servers|customers|clients|students|pages|colleagues)";
const HOLDER =
  "(?:plan|licen[cs]e|subscription|account|contract|team|office|company|department|class|school|branch|shop|building|firm|site|tariff)";
/** Verbs of a person that state a change of the thing. */
const CHANGED =
  "(?:upgraded|downgraded|updated|changed|raised|increased|reduced|lowered|cut|extended|expanded|shortened|set|bumped|switched|scaled(?: up| down)?|grown|grew)";

const POST =
  "((?:[\\p{Ll}-]+ ){0,2}(?:manager|contact|contact person|lead|head|chair|coach|accountant|lawyer|assistant|administrator|admin|representative|director|supervisor|landlord|doctor|tutor)(?: (?:for|of|at) .+?)?)";
const IN_POST = new RegExp(`^(${SOMEBODY}) is (?:now the ${POST}|the ${POST} (?:now|these days|from now on))$`, "u");
/** News of who has a post, told of the post: only one person has it. */
export const ofPost = (statement: string): string =>
  statement.replace(IN_POST, (_, who: string, a?: string, b?: string) => `The ${a ?? b ?? ""} is ${who} now`);

export const updateRewrites = (): readonly Rewrite[] => [
  // Where the adverb stands says nothing.
  [
    /^(The user's [\p{L} -]+?|The (?!user\b)[\p{L} -]+?) (?:these days|nowadays|right now|at present|at the moment|by now) (is|are|has|have|costs|runs) (.+)$/u,
    "$1 $2 now $3",
  ],
  // Work.
  [
    whole(`(${SOMEBODY}) (?:now )?(?:leads|runs|heads|manages|is leading|is running|is managing) the (?:user's )?team`),
    "The user's team lead is now $1",
  ],
  [whole(`${WHO} is (?:now )?on (?:the )?${SHIFT} shifts?(?: since .+)?`), "$1 now works $2 shifts"],
  [whole(`${WHO} works ${SHIFT}s`), "$1 works $2 shifts"],
  [
    whole("The user (?:has |have )?(?:re-?branded|renamed (?:themselves|itself)) (?:as|to|into) (.+)"),
    "The user's company is now called $1",
  ],
  // A school in place of another.
  [
    whole(
      `${WHO} ${AUX}(?:started|begun|began|starts|entered|moved up to|gone to|goes to|attends) (?:at )?(${SCHOOL})`,
    ),
    "$1's school is now $2",
  ],
  // Relationships.
  [
    whole(`${WHO} is (?:seeing|going out with|together with) (somebody|someone|${SOMEBODY})`),
    (who, whom) => `${who} is dating ${whom}`,
  ],
  [
    whole(`${WHO} is (?:an? |the )?(?:proud )?(?:mother|father|mum|mom|dad|parent) (?:of|to) (\\w+)`),
    "$1 has $2 children",
  ],
  [whole(`${WHO} (?:sleeps|is asleep|stays in bed) (?:until|till) (\\d.*)`), "$1 wakes up at $2"],
  // Things that a person has given up.
  [
    whole(`${WHO} ${AUX}(?:been )?(smoke|alcohol|sugar|meat|caffeine|nicotine|dairy)-free(?: since .+)?`),
    (who, what) => `${who} has given up ${what === "smoke" ? "smoking" : what}`,
  ],
  [/^No more (.+?) for the user, .+$/u, "The user has given up $1"],
  [
    whole(
      `(?:They|The doctors?|The clinic|The user's (?:doctor|bank|boss|manager|team)|${SOMEBODY}) ${AUX}(?:switched|moved|changed|transferred|put) the user from (.+?) (?:over )?(?:to|on|onto) (.+)`,
    ),
    (a, b) => `The user has replaced ${a} with ${b}`,
  ],
  // A change that a person made, as a fact about the thing.
  [
    whole(`${WHO} ${AUX}(?:renamed|rebranded|rechristened) ${OWN} (.+?) (?:from (?:.+?) )?(?:to|as|into) (.+)`),
    "The user's $2 is now called $3",
  ],
  [
    whole(
      `${WHO} ${AUX}${CHANGED} ${OWN} (.+?) (?:from .+? )?to (\\d[\\d.,]*) (?!(?:euro|dollar|pound|percent|second|minute|hour|day|week|month|year)s?\\b)(\\p{Ll}+)`,
    ),
    "$1's $2 now has $3 $4",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:upgraded|downgraded|updated|migrated|moved|switched) ${OWN} (.+?) (?:from .+? )?to (\\p{Lu}[\\p{L}]* v?\\d[\\d.]*)`,
    ),
    "The $2 now uses $3",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:moved|migrated|transferred|switched) ${OWN} ((?!office|shop|store|headquarters)[\\p{L} -]+?) from (\\p{Lu}.*?) to (\\p{Lu}.*)`,
    ),
    "The user's $2 is now on $4 instead of $3",
  ],
  [
    whole(
      `(The user's [\\p{L} -]+?|The (?!user\\b)[\\p{L} -]+?) (?:was|were|is|are|has been|have been|got) (?:changed|switched|set|updated)(?: from .+?)? to ((?!the\\b|an?\\b)\\p{Lu}[\\p{L}/_ -]*)`,
    ),
    "$1 is now $2",
  ],
  [
    whole(
      `${WHO}(?: now)? has (?:now )?(\\d+|\\p{Ll}+) (${COUNTED}) (?:on|in|at|under|with) (?:their|the|the user's) ((?:\\p{Ll}+ )?${HOLDER})`,
    ),
    "The user's $4 now has $2 $3",
  ],
  [
    whole(
      `${WHO} ${AUX}${CHANGED} ${OWN} ([\\p{L} -]+?) (?:from .+? )?to (\\d[\\d.,]* (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|%|[$€£]|euros?|dollars?|pounds?).*)`,
    ),
    "The $2 is now $3",
  ],
  [
    whole(`${WHO} ${AUX}(?:changed|switched) (?:${OWN} )?(\\p{Ll}+) from (\\p{Lu}.*?) to (\\p{Lu}.*)`),
    "The user's $2 is now $4 instead of $3",
  ],
  [
    /^(.+?) (?:has|have) been (enabled|disabled|activated|deactivated|opened|closed|reopened|paused|resolved|approved|rejected|assigned to .+)$/u,
    (what, state) => `${what} is now ${state.replace(/^(?:opened|reopened)$/, "open")}`,
  ],
  [/^(.+?) (?:has been|have been|was|were|is|are|got) put (?:off|back) (?:until|till|to) (.+)$/u, "$1 was moved to $2"],
  [/^(The user's|The) (\p{Ll}+) (?:was|has been|is) (?:now )?moved to room (\S+)$/u, "$1 $2 room is now $3"],
  [
    whole(
      `${WHO} ${AUX}(?:ended|terminated|cancelled|canceled) ${OWN} (contract|agreement|partnership|cooperation) with (.+)`,
    ),
    "The $2 is no longer with $3",
  ],
  [whole(`${WHO} ${AUX}(?:cancelled|canceled|dropped) (\\p{Lu}[\\p{L}\\d+]*)`), "$1 has given up $2"],
  [
    whole(
      `${WHO} ${AUX}(?:reduced|cut|increased|raised) their (?:working )?hours (?:from .+? )?to (\\d+)(?: hours)?( a week| per week)?`,
    ),
    "$1 now works $2 hours a week",
  ],
  [whole(`${WHO} goes for an? (run|swim|walk|ride)( .+)?`), (who, what, rest = "") => `${who} ${what}s${rest}`],
  [/^(.+?) (?:is|are) back to normal$/u, "$1 is now normal"],
  [
    /^The user's (cold|flu|cough|fever|infection|rash|\p{Ll}*ache|pain|injury) (?:is|has) (?:now )?(?:gone|gone away|cleared up|over)$/u,
    "The user no longer has a $1",
  ],
  // Back from where one was for a time.
  [
    whole(
      `${WHO} (?:is (?:now )?back|(?:has )?(?:returned|come back)|came back) (?:(?:at|to) (?:work|the office|school|my desk|their desk)|from (?:${OWN} )?(?:.+ )?(?:leave|holidays?|vacation|sabbatical|break|honeymoon))(?: since .+)?`,
    ),
    "$1 is no longer on leave",
  ],
];
