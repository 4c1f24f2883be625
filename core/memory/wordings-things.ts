// Things, tools, dates and numbers: other wordings, rewritten to those that the relations know.
import { isVerb, thirdPerson } from "./verbs.ts";
import { AUX, NAME, OWN, type Rewrite, upperFirst, whole, WHO } from "./wordings.ts";

const COLOR =
  "(?:red|blue|green|yellow|black|white|gr[ae]y|brown|orange|purple|pink|silver|gold|beige|cream|navy|turquoise|sage green|dark \\p{Ll}+|light \\p{Ll}+)";
const PAINTED = "(?:painted|repainted|resprayed|sprayed|wrapped|dyed|coloured|colored|redone)";
const AGENT = `(?:They|Someone|Somebody|Thieves|The [\\p{L} -]{2,30}?|The user's [\\p{L} -]{2,30}?|${NAME})`;
const DONE =
  "(?:cancell?ed|stole|stolen|moved|raised|increased|reduced|lowered|cut|extended|postponed|delayed|rescheduled|shortened|put up|put back|put|changed|bumped|renamed|pushed back|pushed|brought forward|switched|discontinued|closed|scrapped|took away|towed|repossessed|confiscated|doubled|halved)";
const DOSE = "\\d[\\d.]* ?(?:mg|mcg|µg|g|ml|units?)";
const LET_GO =
  "(?:replaced|swapped(?: out)?|traded in|traded|exchanged|ditched|dropped|abandoned|left|got rid of|gotten rid of|sold|gave up|given up|retired|dumped|scrapped|binned|broke|lost|cancelled|moved (?:off|away from)|migrated (?:off|away from)|switched (?:off|away from)|thrown out|threw out|phased out)";
const TOOK =
  "(?:got|bought|uses?|using|adopted|switched to|moved to|went with|went (?:over )?to|replaced it with|took|chose|is on|has|drives?|ordered|keeps?|stores?)";
const asOwn = (thing: string) => upperFirst(thing.replace(/^their /, "the user's "));
/** If a group of the user replaced a thing, the user did too. This is not true of, for example, a brother's car. */
const GROUP =
  /^The user's (?:\p{Ll}+ )*(?:team|company|firm|office|department|family|household|group|startup|shop|school|agency|business|employer|organi[sz]ation|lab|club|studio|crew|unit|workplace|server|app|project|site|website)$/u;
const replaced = (who: string, a: string, b: string) =>
  `${GROUP.test(who) ? "The user" : who} has replaced ${a.replace(/^(?:their|the user's|the|his|her) (?:old )?/, "")} with ${b.replace(/^(?:their|the|an?|the user's|some) (?:new )?/, "")}`;

export const thingRewrites = (): readonly Rewrite[] => [
  // Short and spoken forms.
  [/^The user thinks (?=.+\b(?:has become|have become|is now|are now)\b)(.+)$/u, what => upperFirst(what)],
  [whole(`${WHO} only (?=\\p{Ll}+s\\b)(.+)`), "$1 $2"],
  [
    whole(`${WHO} \\p{Ll}+s and (\\p{Ll}+) (an? .+|the .+|their .+)`),
    (who, verb, what) => (isVerb(verb) ? `${who} ${verb.endsWith("s") ? verb : thirdPerson(verb)} ${what}` : null),
  ],
  [/ won't be (?=.+ but\b)/u, " is not "],
  [/ will (?:now )?be (?=(?:in|on|at)\b)/u, " is now "],
  [
    /^(.+?) is an? native (?:speaker of (.+)|(\p{Lu}\p{Ll}+) speaker)$/u,
    (who, a, b) => `${who}'s native language is ${a ?? b}`,
  ],
  [/\bhalf past (\w+)\b/giu, "$1:30"],
  [/\bquarter past (\w+)\b/giu, "$1:15"],
  [/\b(?:has|'ve|'s) got (?=an?|the|two|three|no|their|\p{Lu}|\d)/u, "has "],
  [
    /^(.+?) (?:would|'d) (?:much )?(?:rather|sooner|prefer to) (?:have |get |drink |eat |use |take |receive )?(.+?) (?:than|rather than|over|instead of) (.+)$/u,
    "$1 prefers $2 to $3",
  ],
  [/^(.+?) is what (.+?) prefers$/u, "$2 prefers $1"],
  [
    /^No (?!one\b|need\b|problem|idea|way|doubt|longer|worries)(.+?) (?:any ?more|any longer|for the user(?: any ?more)?|from now on)$/u,
    "The user has given up $1",
  ],
  [/^(?:There (?:is|are) )?[Nn]o more (.+?)(?: for the user)?$/u, "The user has given up $1"],
  [
    whole(`(The user's|The) (\\p{Ll}+) ${AUX}(?:rescheduled|moved|rebooked|pushed|bumped) the user to (.+)`),
    (_, what, day) => `The user's ${what} appointment is now on ${day}`,
  ],
  // Things that are gone.
  [
    new RegExp(`^${AGENT} ${AUX}(?:put|placed|seated|set up) (the user's .+?) ((?:on|in|at|by|near|under) .+)$`, "u"),
    (thing, place) => `${upperFirst(thing)} is now ${place}`,
  ],
  [
    whole(
      `${AGENT} ${AUX}(${DONE}) (the user's .+?|the (?!user\\b).+?)( (?:to|by|from|until|till|up to|down to|back to) (?:[$€£]?\\d.*|an? .+|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day.*|January|February|March|April|May|June|July|August|September|October|November|December|next .+))?`,
    ),
    (done, what, rest = "") =>
      `${upperFirst(what)} was ${done.replace(/^stole$/, "stolen").replace(/^put$/, "changed")}${rest.replace(/^ (?:up|down|back) to/, " to")}`,
  ],
  [
    whole(
      `(The user's [^,]+?|The (?!user\\b)[^,]+?|Their [^,]+?) ${AUX}(?:fell through|fallen through|ran out|run out|expired|lapsed|ended|finished|over|done|came to an end|come to an end|came off|come off|healed|healed up|completely healed|healed completely|cleared up|disappeared|gone away|went away|all gone|completed|cut short|written off|totalled|totaled|wrecked|discontinued)(?: and .+)?`,
    ),
    what => `The user has given up ${what.replace(/^The user's|^The|^Their/, "their")}`,
  ],
  [whole(`${WHO} ${AUX}(?:let|allowed) (${OWN} .+?) (?:lapse|expire|run out|go)`), "$1 has given up $2"],
  [whole(`${WHO} (?:did not|didn't|won't|will not) renew(?:ed)? (.+)`), "$1 has given up $2"],
  [whole(`${WHO} ${AUX}(?:unsubscribed|signed off|opted out|resigned|disenrolled) from (.+)`), "$1 has given up $2"],
  [
    whole(`${WHO} (?:no longer needs|does(?:n't| not) need) (?!to\\b)(.+?)(?: any ?more| any longer)`),
    "$1 has given up $2",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:binned|chucked out|scrapped|pawned|junked|wrote off|written off|totalled|totaled|crashed|wrecked|parted with|rehomed|smashed) (${OWN} .+)`,
    ),
    "$1 sold $2",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:recovered from|cured of|over|gotten over|got over|free of|free from|rid of|shaken off|beaten) (.+)`,
    ),
    "$1 has given up $2",
  ],
  // One thing for another.
  [
    whole(`${WHO} ${AUX}(?:traded|swapped|exchanged|switched|handed) (.+?) in for (.+)`),
    (who, a, b) => replaced(who, a, b),
  ],
  [
    whole(
      `${WHO} ${AUX}(?:${LET_GO}) (.+?) (?:for|with|in favou?r of|and (?:now )?${TOOK}|when .+? ${TOOK}) (?!free\\b|good\\b)(.+?)(?: instead| now)?`,
    ),
    (who, a, b) => (/^(?:out|up|a lot|work|\d)/.test(a) || /^\d/.test(b) ? null : replaced(who, a, b)),
  ],
  [
    whole(
      `${WHO} ${AUX}(?:migrated|moved|switched|ported|converted|changed|shifted|transferred|transitioned) (?:all )?(?:${OWN} )(.+?) (?:over )?from (.+?) (?:over )?to (.+)`,
    ),
    (who, _, a, b) => (/^[\d$€£]/.test(b) ? null : replaced(who, a, b)),
  ],
  [
    whole(
      `${WHO} ${AUX}(?:switched|changed|moved|transferred|went|gone|crossed over) from (?!full|part)([\\p{Ll} ]+?) to ([\\p{Ll} ]+)`,
    ),
    (who, a, b) => replaced(who, a, b).replace(/^The user has/, `${who} has`),
  ],
  [
    whole(`${WHO} ${AUX}(?:puts?|installed|set up|loaded) (\\p{Lu}\\S*(?: \\S+)??) on (?:their|the) (.+)`),
    (who, what, thing) => `${who}'s ${thing} now runs ${what}`,
  ],
  [
    whole(
      `${WHO} ${AUX}(?:wiped|reinstalled|formatted|reset) (?:their|the) (.+?) and (?:put|installed|set up) (\\p{Lu}\\S*) on it`,
    ),
    (who, thing, what) => `${who}'s ${thing} now runs ${what}`,
  ],
  // Colours, plans and doses.
  [
    whole(`${WHO} ${AUX}(?:had |got )?(?:${PAINTED} )?${OWN} ([\\p{Ll} -]+?) (?:${PAINTED} )?(?:in )?(${COLOR})`),
    (who, thing, color) => `${who}'s ${thing} is now ${color}`,
  ],
  [whole(`${WHO} (?:has|owns) an? (${COLOR}) ([\\p{Ll}]+)`), "$1's $3 is $2"],
  [whole(`(The user's .+?|The (?!user\\b).+?) ${AUX}${PAINTED}(?: in)? (${COLOR})`), "$1 is now $2"],
  [
    whole(
      `${WHO} ${AUX}(?:bought|got|ordered|picked up|has) (?:themselves )?a (?:brand[- ])?new (car|phone|laptop|bike|computer|tablet|camera|watch|guitar|van|motorbike|printer|tv|scooter)(?:,|:| -)? (?:it is |it's |which is )?((?:an? )?\\p{Lu}.*)`,
    ),
    (who, thing, what) => `${who}'s ${thing} is now ${/^an? /.test(what) ? what : `a ${what}`}`,
  ],
  [
    whole(`${WHO} ${AUX}(?:upgraded|downgraded|traded up|graduated|changed over|gone over) from (.+?) to (.+)`),
    (who, a, b) => replaced(who, a, b),
  ],
  [
    whole(
      `${WHO} ${AUX}(?:on|upgraded to|downgraded to|switched to|moved to|changed to|subscribed to) (?:the|a) (\\S+) (?:plan|tier|tariff)`,
    ),
    (who, plan) => `${who}'s plan is now ${plan}`,
  ],
  [whole(`${WHO} is (?:a subscriber to|subscribed to) (.+)`), "$1 has a $2 subscription"],
  [whole(`${WHO} takes (${DOSE}) of (\\p{L}+)(?: .+)?`), "$1's $3 is $2"],
  [
    whole(`${WHO} ${AUX}(?:a member of|member of) (?:a|the) (gym|library|golf club|tennis club|choir)`),
    "$1 has a $2 membership",
  ],
  // Dates and times.
  [
    whole(`The (?:deadline|due date) (?:for|of) (the .+?|the user's .+?|their .+?) is(?: now)? (?:on )?(.+)`),
    (what, day) => `${asOwn(what)} is due on ${day}`,
  ],
  [whole("(.+?) is (now )?due (?!on|by|in|at|to|for)(.+)"), "$1 is $2due on $3"],
  [
    /^(.+?) (?:was born on) ((?:\p{Lu}\p{Ll}+ \d{1,2}(?:st|nd|rd|th)?)|\d{1,2}(?:st|nd|rd|th)? (?:of )?\p{Lu}\p{Ll}+)$/u,
    "$1's birthday is on $2",
  ],
  // Numbers.
  [
    /^There (?:is|are) (?:now )?(\S+) (?:of (?:us|them|the user)|people) (?:on|in|at) (?:the user's |the )?(.+?)( now)?$/u,
    "The user's $2 has $1 people$3",
  ],
  [
    /^(.+?) (?:employs|has a staff of|has a workforce of) (\d[\d,.]*|\p{Ll}+)(?: people| employees)?$/u,
    "$1 has $2 employees",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:got|has|have) a new (phone number|number|email|email address|e-mail address|address|handle)[:,]? (?:it's |it is )?(.+)`,
    ),
    "$1's $2 is now $3",
  ],
  [
    whole(
      `${WHO} ${AUX}(?:started|starts|moved up to|in|gone into|went into|entered) (year|grade|form|class) (\\d+)(?: .+)?`,
    ),
    (who, unit, n) => `${who}'s ${unit} is ${n}`,
  ],
  [/^(.+?) pays ([$€£]?\d\S*(?: \p{Ll}+)?) rent(.*)$/u, "$1's rent is $2$3"],
  [
    whole(
      "(The user's .+?|The (?!user\\b).+?|\\p{Lu}\\S+'s .+?) (?:is|are) (?:now )?(?:down|up|back)(?: from .+?)? (?:to|at) (\\d.*)",
    ),
    "$1 is now $2",
  ],
  // Tastes.
  [
    /^The (.+?) (?:that )?the user (?:likes|loves|enjoys|prefers) (?:the )?(?:most|best|more than any other) is (.+)$/u,
    "The user's favorite $1 is $2",
  ],
  [
    /^(.+?) are what (the user|\S+) (prefers|likes|loves|wants)$/u,
    (what, who, does) => `${upperFirst(who)} ${does} ${what.charAt(0).toLowerCase()}${what.slice(1)}`,
  ],
  [/ (drinks?) alcohol$/u, " $1"],
  [
    /^(.+?) (?:is (\p{Ll}+)[ -]intolerant|is intolerant (?:to|of) (\p{Ll}+)|has an? (\p{Ll}+) intolerance)$/u,
    (who, a, b, c) => `${who} does not tolerate ${a ?? b ?? c}`,
  ],
  [
    /^(.+?) is on (\p{Ll}{5,})$/u,
    (who, what) =>
      /^(?:holiday|holidays|vacation|leave|call|duty|time|track|board|fire|sale|strike|days|nights|probation|parole|benefits|site|shift|maternity|sabbatical|furlough|standby|hold|there|their|foot|paper|average|purpose)$/.test(
        what,
      ) || !/^The user|'s|^\p{Lu}\p{Ll}+$/u.test(who)
        ? null
        : `${who} takes ${what}`,
  ],
  [
    /^(.+?) (?:has|have) (?:become|turned into) (the user's|their|\p{Lu}\S+'s) (favou?rite .+)$/u,
    (what, owner, favorite) => `${upperFirst(owner.replace("their", "the user's"))} ${favorite} is now ${what}`,
  ],
  [
    /^(.+?) (?:has |have )?(?:grown|come|learned|learnt|started|begun|began) to (?:hate|dislike|loathe|detest) (.+)$/u,
    "$1 hates $2",
  ],
  [
    /^(.+?) (?:takes|has|drinks|likes|prefers) (?:their|his|her) (coffee|tea) (black|white|with .+|without .+|strong|weak|plain|sweet|iced)$/u,
    "$1's $2 is $3",
  ],
  [
    /^(.+?) (?:is|has become|became) (?:(?:really|very|quite|so|totally|big) )*(?:into|keen on|fond of|hooked on|partial to|crazy about|mad about|a (?:big |huge |great )?(?:fan|lover) of) (.+)$/u,
    "$1 likes $2",
  ],
  [/^(The user's favou?rite .+?) (?:used to be|was) (.+?),? (?:but )?now it(?:'s| is) (.+)$/u, "$1 is now $3, not $2"],
  [/^(.+?) does not have any (.+)$/u, "$1 has no $2"],
  [/^(.+?) ha(?:sn't|s not) got an?(?:y)? (.+)$/u, "$1 has no $2"],
];
