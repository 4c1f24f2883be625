// Rewrites other wordings to the one that the relations match.
import { ATTRIBUTE, ROLES, SEVERAL } from "./nouns.ts";
import { keyOf } from "./normalise.ts";
import { conjugated, thirdPerson } from "./verbs.ts";
import { type Rewrite, upperFirst } from "./wordings.ts";

const NAME = "\\p{Lu}[\\p{L}'.-]*(?: \\p{Lu}[\\p{L}'.-]*){0,3}";
const HOME = "(?:family )?(?:home|house|apartment|flat|place)";
const DAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)days?";

/** Base forms of irregular participles. */
const BASES: Record<string, string> = {
  ...{ led: "lead", run: "run", written: "write", taught: "teach", built: "build", made: "make", driven: "drive" },
  ...{ sung: "sing", held: "hold", kept: "keep", sold: "sell", paid: "pay", given: "give", taken: "take" },
};
/** Comparatives for the lesser of two things, with their opposites. */
const LESS: Record<string, string> = {
  ...{
    younger: "older",
    shorter: "taller",
    smaller: "bigger",
    slower: "faster",
    cheaper: "pricier",
    lighter: "heavier",
  },
};
/** Adjectives for people who have a condition, with the noun of the condition. */
const HAVING: Record<string, string> = {
  ...{ diabetic: "diabetes", asthmatic: "asthma", epileptic: "epilepsy", dyslexic: "dyslexia", anaemic: "anaemia" },
};

/** "Claire is the user's boss" becomes "The user's boss is Claire". Null for nouns that are no attribute or role. */
function asAttribute(value: string, owner: string, noun: string): string | null {
  const key = `user/${keyOf(noun)}`;
  const isOne = ATTRIBUTE.test(key) || ROLES.test(key) || SEVERAL.test(key) || /\bfavou?rite\b/i.test(noun);
  return isOne ? `${upperFirst(owner)} ${noun} is ${value}` : null;
}

function asActive(what: string, participle: string, agent: string): string | null {
  const base = BASES[participle] ?? (participle.endsWith("ed") ? participle.replace(/ed$/, "e") : undefined);
  return base === undefined ? null : `${agent} ${thirdPerson(base)} ${what.replace(/^The /, "the ")}`;
}

function asContact(address: string): string | null {
  if (/^\S+@\S+\.\S+$/.test(address)) return `The user's email is ${address}`;
  return /^\+?[\d ()/-]{6,}$/.test(address) ? `The user's phone number is ${address}` : null;
}

/** The rewrites are tried in this order, each at most once. */
export const rewrites = (): readonly Rewrite[] => [
  // Word order.
  [
    new RegExp(
      `^(${NAME}) (?:is no longer|is not|isn't) (the user's) (.+?)(?: any ?more)?,? (?:but )?(${NAME}) is(?: now)?$`,
      "u",
    ),
    "The user's $3 is now $4, not $1",
  ],
  [/^Instead of (\w+ing\b.*?),? (the user (?!'s|and\b).+)$/u, "$2 instead of $1"],
  [
    /^((?:On|At|In|During|Over|For|Every) (?:the )?[\w-]+(?: \w+)?),? (the user (?!and\b).+)$/,
    (when, said) => `${said} ${when.charAt(0).toLowerCase()}${when.slice(1)}`,
  ],
  [new RegExp(`^On (${DAY}),? there (?:is|are) (.+)$`, "iu"), (day, what) => `${upperFirst(what)} is on ${day}`],
  [
    /^There (?:is|are) (.+?) (?:in|at|on) ((?:the|this|their) .+|the user's .+)$/i,
    (what, where) => `${where} has ${what}`,
  ],
  [
    /^(.+?) is where (the user|\S+) ((?:lives|works|studies|grew up|was born))$/i,
    (where, who, does) => `${who} ${does} in ${where}`,
  ],
  [
    /^(.+?) is (?:what|who|whom) (.+ (?:listens|runs|works|depends|relies|uses|drives|likes|loves|plays|drinks|eats|studies|wants)(?: on| at| for| with)?)$/i,
    "$2 $1",
  ],
  [
    /^(.+?) is the (.+?) (?:that |which )?(the user) (?:likes|loves|enjoys|prefers) (?:the )?(?:best|most)$/i,
    "The user's favorite $2 is $1",
  ],
  [
    new RegExp(`^(${NAME}|.+?) is (the user's) (.+)$`, "u"),
    (value, owner, noun) =>
      /^(?:the|this|that|it|a|an|their|his|her)\b/i.test(value) ? null : asAttribute(value, owner, noun),
  ],
  [
    new RegExp(`^(${NAME}) (?:has taken over|took over)(?: from ${NAME})? as (the user's .+|the .+)$`, "u"),
    (who, what) => `${what} is now ${who}`,
  ],
  [
    new RegExp(`^(${NAME}) has replaced ${NAME} as (the user's .+|the .+)$`, "u"),
    (who, what) => `${what} is now ${who}`,
  ],
  [
    new RegExp(`^(.+?) (?:is|are) (?:now )?(?!called|named|based|employed)(\\w+) by (${NAME}|the user)$`, "u"),
    (what, done, agent) => asActive(what, done, agent),
  ],
  [
    /^(\p{Lu}\S*(?: \S+)?) is (\w+er) than (.+)$/u,
    (a, than, b) => (LESS[than] ? `${upperFirst(b)} is ${LESS[than]} than ${a}` : null),
  ],
  [/^The ([\w-]+(?: [\w-]+)?) of (the user's .+?|the .+?|\p{Lu}\S+) (is|was) (.+)$/u, "$2's $1 $3 $4"],
  [
    new RegExp(`^(${NAME}) (?:has been|was) replaced by (${NAME}) as (the user's .+|the .+)$`, "u"),
    (_, who, what) => `${what} is now ${who}`,
  ],
  [/^(.+?) (?:has been|was|were) replaced (?:by|with) (.+)$/i, "The user has replaced $1 with $2"],
  [/^(.+?) (is|are)(?: no longer| not|n't) (.+?)(?: any ?more)?,? but (.+)$/i, "$1 $2 now $4, not $3"],
  [
    /^(the user|\S+) (?:no longer|does not|doesn't) (\w+?)s? (.+?)(?: any ?more)?,? but (?!is\b|are\b|the user\b)([^,]+)$/i,
    "$1 now $2s $4, not $3",
  ],
  [
    /^the user's (girlfriend|boyfriend|partner|wife|husband) (?:has )?(?:left|dumped|broke up with|divorced) the user$/i,
    "The user no longer has a $1",
  ],
  [
    /\bwill (?:now )?(take place|start|begin|open|close|leave|depart|arrive|happen|end|run)\b/i,
    verb => verb.replace(/^\w+/, thirdPerson),
  ],
  [/\bwill (?:now )?be held\b/i, "is held"],
  [
    new RegExp(
      `^(${NAME}|The user's [\\w -]+?) (?:has )?(?:told (?:the user|them)|says?|said|mentioned|let the user know|informed the user|reports|reported|confirmed)(?: that)? (?:he|she|they|it) (.+)$`,
      "u",
    ),
    "$1 $2",
  ],
  [
    new RegExp(`^(${NAME}) (is no longer|is not|isn't) the user's (.+)$`, "u"),
    (who, not, noun) => (asAttribute("", "the user's", noun) === null ? null : `The user's ${noun} ${not} ${who}`),
  ],
  [
    new RegExp(
      `^(${NAME}) and (${NAME}) (?:have |has |are |is |got )?(?:now )?(?:split up|broke up|broken up|separated|divorced)$`,
      "u",
    ),
    "$1 broke up with $2",
  ],
  // Possession.
  [
    /^(.+?) (?:has|got|has got) an? ([\w -]+?) (?:who is |that is |which is )?(?:named|called) (.+)$/i,
    (who, noun, name) => `${who}'s ${noun} is called ${name}`,
  ],
  [/^(.+) belongs to (the user|\p{Lu}\S+)$/u, (what, who) => `${who} owns ${what}`],
  [/^(The (?!user\b).+) is (the user|\p{Lu}\S+)'s$/u, (what, who) => `${who} owns ${what}`],
  [/^(.+?) (?:suffers|is suffering) from (.+)$/i, "$1 has $2"],
  [/^(.+?) (?:was|has been|got|is) diagnosed with (.+)$/i, "$1 has $2"],
  [/^(.+?) (?:has|have) an allergy (?:to|against) (.+)$/i, "$1 is allergic to $2"],
  [
    /^(.+?) is (?:an? )?(diabetic|asthmatic|epileptic|dyslexic|anaemic)$/i,
    (who, how) => `${who} has ${HAVING[how.toLowerCase()]}`,
  ],
  [/^(.+?) is (?:an? |the )?(?:proud )?(?:father|mother|mum|mom|dad|parent) of (\S+ .+)$/i, "$1 has $2"],
  [/^(.+?) pays (.+?) (?:in|for|of) (?:the )?rent$/i, "$1's rent is $2"],
  [/^(.+?) is (?:now )?(?:down to|up to|at) (\d[\d.,]* ?(?:kg|kilos?|kilograms?|pounds|lbs|stone))$/i, "$1 weighs $2"],
  [/^(.+?) is (\d[\d.,]* ?\w+) tall$/i, "$1's height is $2"],
  [/^(.+?) weighs (.+)$/i, "$1's weight is $2"],
  // Identity and place.
  [
    /^(?:every(?:one|body)|(?:most )?people|(?:the user's )?(?:friends|colleagues)|they) calls? the user (\p{Lu}\S*)$/iu,
    "The user is $1",
  ],
  [
    /^You (?:can|may|could) (?:reach|contact|email|e-mail|mail|call|phone|text|write to) the user (?:now )?(?:at|on|under|via) (\S+)(?: now)?(?:,.*)?$/i,
    address => asContact(address),
  ],
  [new RegExp(`^(the user)'s ${HOME} (?:is|lies) (?:located |now )?in (?=\\p{Lu})(.+)$`, "iu"), "$1 lives in $2"],
  [new RegExp(`^(.+?) has (?:an? |got an? )${HOME} in (?=\\p{Lu})(.+)$`, "u"), "$1 lives in $2"],
  [new RegExp(`^(?:home|${HOME}) is (?:now )?(${NAME})(.*)$`, "u"), "The user lives in $1$2"],
  [/^(the user)'s employer is (.+)$/i, "$1 works at $2"],
  [/^(.+?) is (an? .+) by (?:profession|trade|training)$/i, "$1 works as $2"],
  [
    new RegExp(
      `^(${NAME}) and the user (?:are|is|got|have)? ?(?:now )?(?:divorced|broke up|broken up|split up|separated)$`,
      "u",
    ),
    "The user broke up with $1",
  ],
  [
    /^the user (?:and (\p{Lu}\S+)|divorced (\p{Lu}\S+)|(?:is|got) divorced from (\p{Lu}\S+)) ?(?:broke up|split up|are divorced|got divorced|separated)?$/iu,
    (a, b, c) => `The user broke up with ${a ?? b ?? c}`,
  ],
  [
    new RegExp(`^(${NAME}) and the user (?:are|is|got|have gotten)? ?(?:now )?married\\b.*$`, "u"),
    "The user is married to $1",
  ],
  [new RegExp(`^(${NAME}) is the user's (?:home|home ?town|place of residence)$`, "u"), "The user lives in $1"],
  [/^(.+?) is (?:an? )?(?:resident|inhabitant) of (.+)$/i, "$1 lives in $2"],
  [/^(.+?) employs the user$/i, "The user works at $1"],
  [/^(the user)'s job is (at|with) (.+)$/i, "$1 works at $3"],
  [/^(.+?)'s (?:year of birth|birth year) is (.+)$/i, "$1 was born in $2"],
  [/^(.+?) hails from (.+)$/i, "$1 comes from $2"],
  [/^(.+?)'s age is (.+)$/i, "$1 is $2 years old"],
  [/^(.+?)'s (?:date of birth|birth ?date) is (.+)$/i, "$1 was born on $2"],
  [/^(.+?)'s (?:birthplace|place of birth) is (.+)$/i, "$1 was born in $2"],
  [/^(.+?) (?:earns|makes) (?=[$€£]?\d)(.+)$/i, "$1's salary is $2"],
  [/^(the user)'s car is (an? \p{Lu}.+)$/iu, "$1 drives $2"],
  [/^(.+?) (?:follows|is on|keeps) an? (vegan|vegetarian|pescatarian) diet$/i, "$1 is $2"],
  // Occupation.
  [
    /^The user (?:said|says|mentioned|stated|noted|confirmed)(?: that)? (?:they|he|she|the user) (\S+)(.*)$/i,
    (verb, rest) => `The user ${conjugated(verb)}${rest}`,
  ],
  [/^((?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day) is when (.+)$/u, (day, said) => `${upperFirst(said)} on ${day}s`],
  [
    /^(.+?) (?:is|are) (?:something|what|things|the ones?) (?:that |which |who |whom )?((?:the user|\p{Lu}\p{Ll}+) (?!'s).+)$/u,
    (what, said) => `${said} ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
  ],
  [
    /^The (\p{Ll}+) (?:that |which )?(the user) (\p{Ll}+) (?:is|are) (.+)$/u,
    (_, who, does, what) => `${who} ${does} ${what}`,
  ],
  [
    /^(.+?) is(n't| not|) an? (\p{Ll}+) (drink|eat|play|speak|rid)er$/u,
    (who, not, what, verb) => (not ? `${who} does not ${verb} ${what}` : `${who} ${verb}s ${what}`),
  ],
  [/^(.+?) is something (the user|\p{Lu}\S+) (really )?(likes|loves|enjoys|hates|dislikes)$/iu, "$2 $4 $1"],
  [/^(.+?) is (?:an? )?(?:big |huge |great |real )?(\w+) (?:fan|lover|enthusiast)$/i, "$1 likes $2"],
  [/^(.+?) (?:likes|loves) (.+?) (?:better|more) than (.+)$/i, "$1 prefers $2 to $3"],
  [/\b(?:scared|frightened|terrified) of\b/i, "afraid of"],
  [/\b(?<!not )(?:fears|dreads)\b/i, "is afraid of"],
  [/\b(?:has )?never been to\b/i, "has never visited"],
  [/\bis fluent in (.+)$|\bspeaks fluent (.+)$|\bspeaks (\S+) fluently$/i, (a, b, c) => `speaks ${a ?? b ?? c}`],
  [
    /\b(uses|use) (.+?) (?:(?:as|for) (?:the user's|their)|as (?:the|a|an)) ([\w ]+)$/i,
    (_, what, as) => `'s ${as} is ${what}`,
  ],
  [
    /^(the user|\S+) (?:has )?(?:re)?(?:wrote|written|built|rebuilt|coded|ported) ((?:the|their) .+?) (in|with|to) (.+)$/i,
    (_, what, how, into) =>
      `${what.replace(/^their/, "the user's")} is now written ${how === "to" ? "in" : how} ${into}`,
  ],
  [
    /\b(?:was|has been|got|is being) (?:re)?(?:written|coded|built|ported) (in|to) (?=\p{Lu})/iu,
    how => `is now written ${how === "to" ? "in" : how} `,
  ],
];
