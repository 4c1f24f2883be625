// Homes, partners and relatives: other wordings, rewritten to those that the relations know.
import { AUX, DWELLING, NAME, PARTNER, type Rewrite, upperFirst, whole, WHO } from "./wordings.ts";

const PARTED =
  "(?:split(?: up)?|broke(?:n)? up|broke it off|separated|divorced|parted(?: ways)?|called it quits|called it a day|ended (?:things|it)|a thing of the past|no longer (?:together|a couple|an item|married|engaged|dating)|through|history|(?:getting|going through) a divorce)";
const NOT_TOGETHER =
  "(?:are|is)(?:n't| not) (?:together|a couple|an item|married|engaged|dating)(?: any ?more| any longer)";
const LEFT =
  "(?:dumped|divorced|broke(?:n)? up with|ended (?:things|it) with|broke(?:n)? it off with|separated from|split(?: up)? (?:with|from)|parted(?: ways)? (?:with|from)|divorced from|walked out on|no longer (?:with|together with|dating|seeing|going out with|married to|engaged to)|(?:broke(?:n)? off|called off) (?:the|their) engagement (?:to|with))";
const MATE = "(?:flat|room|house)-?mates?";
const ALONE = "(?:alone|by (?:them|him|her)sel(?:f|ves)|on (?:their|his|her) own|solo)";
const BORN = "(?:first|second|third|fourth|fifth|sixth|2th|3th|4th|5th|6th)";
const COUNTS: Record<string, number> = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, sixth: 6 };
const KNOWN_AS = "(?:someone|somebody|a (?:guy|girl|man|woman|lady|bloke|person)) (?:called|named) ";

const asPerson = (who: string) => who.replace(/^the user\b/, "The user");

export const peopleRewrites = (): readonly Rewrite[] => [
  // Family names without an owner.
  [
    /^(Mum|Mom|Dad|Mummy|Daddy|Grandma|Grandpa|Granny|Grandad|Nan) (?=(?:is|was|has|and|'s)\b|\p{Ll}+(?:s|ed)\b|can't|no longer|doesn't|lives|sold|went|got)/u,
    "The user's $1 ",
  ],
  [/^The user's (?:mum|mom|mother) and (?:dad|father)\b/iu, "The user's parents"],
  [/^The user's (Mum|Mom|Dad|Grandma|Grandpa|Nan) /u, who => `The user's ${who.toLowerCase()} `],
  // Homes.
  [
    whole(
      `${WHO} ${AUX}(?:got|found|moved into|rented|rents|taken|took) (?:an?|their own|his own|her own|the) (?:\\p{Ll}+ ){0,2}${DWELLING} in (\\p{Lu}.*)`,
    ),
    "$1 now lives in $2",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:(?:gone|went|come|came|go|goes) to live in|(?:moved|relocated|emigrated|decamped)(?: back| over| up| down| out)? to|(?:ended up|settled|resettled)(?: down)?(?: living)? in) (?=\\p{Lu})(.+)`,
    ),
    (who, place) => (/^\p{Lu}\S*(?:\.\p{L}|\d)/u.test(place) ? null : `${who} moved to ${place}`),
  ],
  [
    whole(`${WHO}'s (?:home|place|house|flat|apartment|home base) (?:is|is now) in (?=\\p{Lu})(.+)`),
    (who, place) => `${who} lives in ${place}`,
  ],
  [
    whole(
      `(.+?) (?:is|was) the (?:city|town|village|place|country) (?:that |which |where )?(the user|${NAME}) (.+?)(?: in)?`,
    ),
    (where, who, does) =>
      /^(?:lives|was born|grew up|works|studies|comes from)$/.test(does)
        ? `${asPerson(who)} ${does}${does.endsWith("from") ? "" : " in"} ${where}`
        : null,
  ],
  [
    whole(`(.+?) (?:is|are) (?:head-?quartered|situated|located) in (.+)`),
    (what, where) => (what === "The user" ? `The user's headquarters is in ${where}` : `${what} is in ${where}`),
  ],
  [
    whole(
      "(?:The )?[Hh]eadquarters (?:is|are|will be|has moved to|have moved to|moved to)(?: now)?(?: in)? (\\p{Lu}.*)",
    ),
    "The user's headquarters is now in $1",
  ],
  [whole("(The user's headquarters) are (.+)"), "$1 is $2"],
  // Who lives together.
  [whole(`${WHO} (?:lives|is living|is now living|now lives) ${ALONE}(?: now)?`), "$1 lives with no-one"],
  [whole(`${WHO} (?:shares|is sharing) an? (?:\\p{Ll}+ )?${DWELLING} with (.+)`), "$1 lives with $2"],
  [whole(`${WHO} ${AUX}moved in with (.+)`), "$1 now lives with $2"],
  [whole(`${WHO} ${AUX}moved out of (.+?)(?:'s|s') (?:${DWELLING}|parents' place)`), "$1 no longer lives with $2"],
  [
    whole(`(The user's [\\p{Ll} -]+?|${NAME}) and (?:the user|${NAME}) live together`),
    who => `The user lives with ${who.replace(/^The user's/, "their")}`,
  ],
  [
    whole(`${WHO} ${AUX}(?:moved out|gone|left)(?: of the (?:${DWELLING}))?`),
    who => (who === "The user" ? null : `The user no longer lives with ${who.replace(/^The user's/, "their")}`),
  ],
  [
    whole(`(?:The|Their|All the) (${MATE}|children|kids) ${AUX}(?:moved out|gone|left)`),
    "The user no longer lives with $1",
  ],
  // Partners.
  [
    whole(`(${NAME}) and (the user|${NAME}|the user's [\\p{Ll} ]+?) ${AUX}(?:${PARTED}|${NOT_TOGETHER})`),
    (a, b) => (b.startsWith("the user") ? `${upperFirst(b)} broke up with ${a}` : `${a} broke up with ${b}`),
  ],
  [whole(`(The user(?:'s [\\p{Ll} ]+?)?) and (${NAME}) ${AUX}(?:${PARTED}|${NOT_TOGETHER})`), "$1 broke up with $2"],
  [whole(`${WHO} ${AUX}${LEFT} (${NAME})`), "$1 broke up with $2"],
  [
    whole(`(${NAME}) ${AUX}(?:dumped|divorced|left|broke up with|ended (?:things|it) with|walked out on) the user`),
    "The user broke up with $1",
  ],
  [whole(`(${NAME}) is (?:now )?the user's ex(?:-?${PARTNER})?(?: now)?`), "The user broke up with $1"],
  [whole(`The user's ex(?:-?${PARTNER})?(?:'s name)? is(?: called)? (${NAME})`), "The user broke up with $1"],
  [
    whole(`(?:${NAME}|The user) ${AUX}(?:called off|broke off|ended|cancelled) (?:the|their) (?:engagement|wedding)`),
    "The user is no longer engaged",
  ],
  [
    /^(?:The|The user's|Their) (?:engagement|wedding) (?:is|was|has been|got) (?:now )?(?:off|called off|broken off|cancelled)$/u,
    "The user is no longer engaged",
  ],
  [
    whole(`(${NAME}) and (${NAME}) ${AUX}(?:tied the knot|married|wed|wedded|newlyweds|husband and wife)`),
    "$1 is married to $2",
  ],
  [whole(`(The user) and (${NAME}) ${AUX}(?:tied the knot|married|wed|husband and wife)`), "$1 is married to $2"],
  [whole(`(${NAME}) and the user ${AUX}(?:tied the knot|married|wed|husband and wife)`), "The user is married to $1"],
  [
    whole(
      `${WHO} ${AUX}(?:seeing|dating|going out with|together with|in a relationship with|involved with)(?: now)? (?:${KNOWN_AS})?(${NAME})(?: for .+)?`,
    ),
    "$1 is dating $2",
  ],
  [whole(`(?:${NAME}) and the user are (?:now )?(?:together|a couple|an item)`), "The user is in a relationship"],
  [/^(.+?) is(?:n't| not) (?:in a relationship|seeing anyone|dating anyone|with anyone|attached)$/u, "$1 is single"],
  [whole(`${WHO} is (?:now )?(?:in a relationship|taken|together)`), "$1 is no longer single"],
  [
    whole(
      `(${NAME}) and the user (?:are(?:n't| not) friends any ?(?:more|longer)|are no longer (?:friends|on speaking terms)|${AUX}fallen out|${AUX}fell out|${AUX}stopped being friends)`,
    ),
    "The user fell out with $1",
  ],
  [
    whole(`(${NAME}|The user's \\p{Ll}+) is (the user|${NAME})'s (?:fianc[ée]e?)`),
    (a, b) => (/^the user$/.test(b) ? null : `${a} is engaged to ${b}`),
  ],
  [
    whole(
      `${WHO} (?:likes|prefers|wants|would like|would prefer|asked) (?:being called|to be called|to go by)(?: just)? (\\p{Lu}\\S*)(?: rather than .+| instead of .+|, not .+)?`,
    ),
    (who, name) => (who === "The user" ? `Call the user ${name}` : null),
  ],
  [/^((?:Please )?[Cc]all the user \p{Lu}\S*) (?:rather than|instead of|not) .+$/u, "$1"],
  [whole(`${WHO} ${AUX}(?:dumped|jilted) by (${NAME})`), "$1 broke up with $2"],
  [whole(`${WHO} ${AUX}(?:dumped|jilted|left at the altar|newly single|back on the market)`), "$1 is single"],
  [
    whole(`(?:The user's ${PARTNER} and the user|The user and their ${PARTNER}) ${AUX}(?:${PARTED}|${NOT_TOGETHER})`),
    "The user is single",
  ],
  [whole(`The user ${AUX}${LEFT} their ${PARTNER}`), "The user is single"],
  [
    /^(?:The|Their|The user's) divorce (?:is|was|has|came|went|got)\b.*(?:final|finali[sz]ed|through|over|done|official|granted).*$/u,
    "The user is divorced",
  ],
  [whole(`${WHO} is (?:now )?an? (?:widow|widower)`), "$1 is widowed"],
  [whole(`The user's ex(?:-?${PARTNER})?,? (${NAME})\\b.*`), "The user broke up with $1"],
  [whole(`(?:${NAME}) (?:has )?proposed(?: to the user)?(?: .+)?`), "The user is engaged"],
  [
    whole(`(?:(${NAME}) and the user|The user and (${NAME})) ${AUX}engaged(?: to be married)?`),
    (a, b) => `The user is engaged to ${a ?? b}`,
  ],
  // Children and death.
  [
    whole(
      `${WHO} ${AUX}(?:had|have|has|welcomed|given birth to|gave birth to) (?:a|their|our|her|his) (${BORN}) (?:child|baby|kid|son|daughter|boy|girl)`,
    ),
    (who, nth) => `${who} now has ${COUNTS[nth] ?? Number.parseInt(nth, 10)} children`,
  ],
  [/^(.+?) is (?:expecting|expecting a baby|with child)$/u, "$1 is pregnant"],
  [
    whole(`The user's (${BORN}) (?:child|baby|kid) (?:was|has been|is) born(?: .+)?`),
    nth => `The user now has ${COUNTS[nth] ?? Number.parseInt(nth, 10)} children`,
  ],
  [
    whole(
      `(.+?) ${AUX}(?:had|gave birth to|given birth to|delivered) (?:the|their|her|a|our) (?:baby|child|son|daughter|twins|baby \\p{Ll}+)`,
    ),
    "$1 is no longer pregnant",
  ],
  [whole(`(.+?) ${AUX}(?:gave birth|given birth)`), "$1 is no longer pregnant"],
  [
    /^(?:The|The user's|Their) baby (?:was|is|has been|has) (?:born|arrived|here|come)$/u,
    "The user is no longer pregnant",
  ],
  [
    whole(
      `(?:The user|They|The vet) (?:had to |has had to )?(?:put|have|had|putting) (.+?) (?:to sleep|put down|put to sleep)`,
    ),
    what => `${upperFirst(what.replace(/^their/, "the user's"))} died`,
  ],
  [whole(`(.+?) ${AUX}(?:is no longer with us|passed|no longer alive|departed)`), "$1 died"],
];
