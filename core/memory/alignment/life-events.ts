// States of a person or a thing that other words end than those that name them, as data: who graduates is no student.

import { anyOf } from "./any-of.ts";

interface Signed {
  signs: ReadonlySet<string>;
  seeks: ReadonlySet<string>;
}

/** What was said, and what ends it when it is said later of the same person or thing. */
const EVENTS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:student|studying|studies|in (?:college|university|school|training)|apprentice|trainee)\b/i,
    /\b(?:graduat\w+|dropped out|finished (?:university|uni|college|school|(?:the|their) (?:degree|studies|apprenticeship|training)))\b/i,
  ],
  [
    /\b(?:looking for|searching for|seeking|needs?|hunting for) (?:an? |the )?(?:new )?(?:job|work|position)\b|\b(?:unemployed|jobless|out of work|between jobs|job ?hunting)\b/i,
    /\b(?:starts?|started|got|found|landed|accepted|has|signed)\b.*\b(?:job|position|role|contract|work)\b|\b(?:hired|employed|took the user on)\b/i,
  ],
  [
    /\b(?:looking for|searching for|hunting for|needs?) (?:an? |the )?(?:new |bigger |smaller )?(?:flat|house|apartment|place|home|room)\b/i,
    /\b(?:found|signed|bought|rented|got|moved into) (?:an? |the |their |his |her )?(?:(?!in\b|at\b)\w+ ){0,2}(?:flat|house|apartment|place|home|room|lease)\b|\bmoved in(?:to)?\b|\blives? in\b/i,
  ],
  [
    /\b(?:pregnant|expecting|baby on the way)\b/i,
    /\b(?:gave birth|born|had (?:the|her|their|our|a) (?:baby|son|daughter|boy|girl|twins)|(?:baby|son|daughter|boy|girl|twins) (?:\w+ )?(?:arrived|is here|came))\b/i,
  ],
  [
    /\b(?:insomnia|sleeps? badly|can(?:'t|not) sleep|trouble sleeping)\b/i,
    /\bsleep\w* (?:well|fine|better|through|like)\b/i,
  ],
  [
    /\b(?:can(?:'t|not) drive|learning to drive|driving lessons|no driving licen[cs]e|driver's licen[cs]e yet)\b/i,
    /\b(?:got|has|passed|received)\b.*\b(?:driving|driver's) (?:licen[cs]e|test)\b/i,
  ],
  [
    /\b(?:is|are|being) single\b/i,
    /\b(?:dating|seeing someone|in a relationship|engaged|married|has an? (?:girlfriend|boyfriend|partner))\b/i,
  ],
  [/\bengaged\b/i, /\b(?:married|wedding was|tied the knot|said yes at|newlywed\w*)\b/i],
  [
    /\b(?:dating|girlfriend|boyfriend|engaged|married|relationship with|together with|partner)\b/i,
    /\b(?:broke up|split up|separated|divorced|called (?:it|the wedding) off|is single)\b(?! (?:the|a) )/i,
  ],
  [/\b(?:long-distance)\b/i, /\bmoved in\b/i],
  [
    /\b(?:vegan|vegetarian|no meat|not eat meat|n't eat meat)\b/i,
    /\b(?:eats?|eating) (?:meat|chicken|beef|pork|steak|burgers?|bacon|everything)\b/i,
  ],
  [
    /\b(?:n't|not|never|no) (?:drinks? )?alcohol\b|\b(?:teetotal\w*|sober)\b/i,
    /\b(?:wine|beer|drinking again|alcohol again|cocktails?)\b(?! is)/i,
  ],
  [
    /\b(?:smokes?|smoker|smoking)\b/i,
    /\b(?:smoke-free|(?:quit|stopped|gave up|given up|hasn't) (?:smok\w+|cigarettes|the cigarettes|nicotine)|ex-smoker|non-smoker)\b/i,
  ],
  [
    /\b(?:lives?|living|stays?) with (?:the user's |their |his |her )?(?:parents|folks|mother|father|mum|mom)\b/i,
    /\b(?:own (?:place|flat|apartment|home|house)|moved out|place of (?:their|his|her) own)\b/i,
  ],
  [
    /\b(?:rents?|renting)\b.*\b(?:flat|house|apartment|place|home|studio|room)\b/i,
    /\bbought\b.*\b(?:flat|house|apartment|place|home|condo)\b/i,
  ],
  [
    /\bon (?:\w+ )?(?:leave|holiday|holidays|vacation|sabbatical)\b/i,
    /\b(?:back (?:at|in|from|to)|returned (?:to|from)) (?:work|the office|school|holiday|vacation|\w+ leave|leave)\b/i,
  ],
  [
    /\b(?:works?|working) (?:at|for|as)\b|\bis an? [\w -]*(?:teacher|engineer|nurse|driver|manager|developer)\b/i,
    /^\S+(?: \S+)? (?:has |have |is |are )?(?:now |just )?retired\b(?! (?:the|an?|their|his|her|its)\b)|\bretired from\b/i,
  ],
  [/\bpart-time\b/i, /\bfull-time\b/i],
  [/\bfull-time\b/i, /\bpart-time\b/i],
  [
    /\b(?:in|at) (?:the )?(?:hospital|clinic|rehab)\b/i,
    /\b(?:discharged|released|back home|out of (?:the )?(?:hospital|clinic|rehab)|came home)\b/i,
  ],
  [/\bowes?\b/i, /\bpaid\b.*\bback\b/i],
];

const placesOf = (test: (state: RegExp, event: RegExp) => boolean): number[] =>
  EVENTS.flatMap(([state, event], at) => (test(state, event) ? [at] : []));
const DENIED = /(?:\bnot|n't|\bnever)\b.{0,15}$/i;

const ANY_STATE = anyOf(EVENTS.map(([state]) => state));
const ANY_EVENT = anyOf(EVENTS.map(([, event]) => event));

/** The rows whose state a statement names. */
export const lifeStatesIn = (text: string): number[] =>
  ANY_STATE().test(text) ? placesOf(state => state.test(text)) : [];
/** The rows whose event a statement tells of. */
export const lifeEventsIn = (text: string): number[] =>
  ANY_EVENT().test(text)
    ? placesOf((_, event) => {
        const said = event.exec(text);
        return said !== null && !DENIED.test(text.slice(0, said.index));
      })
    : [];

/** Whether the later statement is of an event that ends the state in the earlier one. */
export const isEndedByEvent = (now: Signed, before: Signed): boolean =>
  [...now.seeks].some(sign => sign.startsWith("life ") && before.signs.has(sign));

/** "Is broken", "waits for": it holds until it is dealt with. */
const UNSETTLED =
  /\b(?:waiting|awaiting|looking for|needs?|wants?|broken|expired|hurts?|aches?|sore|injured|being \w+ed|pending|planned|plans?|on the way|in progress|preparing|ordered|applied|applying|open|missing|lost|late|overdue|stuck|not (?:working|arrived|ready)|n't (?:work|arrived)|under construction|out of order|sick|ill|unpaid|due|expecting|about to)\b/i;
const SETTLED =
  /\b(?:done|finished|complete[ds]?|approved|granted|arrived|came (?:back|through|in)|got|gets|picked up|received|found|bought|new|heal(?:ed|s)|fixed|repaired|born|passed|paid|returned|delivered|over|replaced|solved|resolved|works? (?:again|now)|fine|better|recovered|installed|signed|ready|renewed)\b/i;

/** Whether something was open and is now dealt with. They must speak of the same thing. */
export const isSettled = (now: string, before: string): boolean =>
  SETTLED.test(now) && UNSETTLED.test(before) && !/\b(?:not|n't|never|still|yet)\b/i.test(now);
