// Shared by the tables of further wordings.

export type Rewrite = readonly [RegExp, string | ((...groups: string[]) => string | null)];

export const NAME = "(?!The\\b|They\\b)\\p{Lu}[\\p{L}'.-]*(?: \\p{Lu}[\\p{L}'.-]*){0,3}";
/** The subject of a statement: the user, a name, or a person or a thing of the user. */
export const WHO = `(The user(?! and\\b|')|${NAME}|The (?:user's|(?!user\\b)(?=\\p{Ll}))[\\p{L} -]{1,40}?)`;
export const AUX =
  "(?:(?:has|have|had|is|are|was|were|got|been|just|now|finally|recently|since|already|both|officially|actually|sadly|really|only|also|right|all|completely|long) )*";
/** The owner of a thing after its verb. */
export const OWN = "(?:their|the user's|the|his|her|its|our|this|that)";
export const DWELLING =
  "(?:flat|apartment|house|home|place|studio|condo|bungalow|cottage|room|houseboat|caravan|townhouse|flatshare|dorm)";
export const PARTNER = "(?:wife|husband|girlfriend|boyfriend|partner|fianc[ée]e?|spouse)";

export const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`, "u");
export const upperFirst = (text: string): string => text.replace(/^\p{Ll}/u, first => first.toUpperCase());

const UNIT = "(?:day|night|week|weekend|fortnight|month|year|while|decade)s?";
const SEASON = "(?:spring|summer|autumn|fall|winter|holidays|christmas|easter|weekend|week)";
const WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day";
const MONTH =
  "(?:January|February|March|April|May|June|July|August|September|October|November|December)(?: \\d{1,2}(?:st|nd|rd|th)?)?(?:,? \\d{4})?";
/** A time at the end of a statement about what happened. */
const WHEN = new RegExp(
  `,? (?:${[
    `(?:last|this|the other|earlier this|late last) (?:night|morning|afternoon|evening|day|week|weekend|month|year|${SEASON}|${WEEKDAY})`,
    "(?:earlier )?(?:yesterday|today|tonight)(?: (?:morning|afternoon|evening))?|recently|earlier|lately|finally|at last|for good|a long time ago|long ago|already|by now",
    `(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d+|a few|a couple of|some|several|many) ${UNIT} (?:ago|back)`,
    `(?:over|in|during|at|before|after) (?:the |last )?${SEASON}`,
    `on (?:${WEEKDAY}|the \\d+(?:st|nd|rd|th)?|\\d{1,2} ${MONTH}|${MONTH})`,
    `(?:in|since|back in|at the end of|as of|from) (?:early |late |mid-?)?(?:${MONTH}|\\d{4}|${WEEKDAY}|yesterday|today|tomorrow)`,
    "(?:next|this coming) (?:week|month|year)",
  ].join("|")})$`,
  "u",
);
const HAPPENED =
  /^(?!.*\bborn\b).*?\b(?!(?:based|located|called|named|interested|married|engaged|scheduled|planned|due|based|supposed|moved to|expected) )(?:\w{2,}ed|split|broke|broken|sold|left|quit|got|gone|went|lost|stole|stolen|gave|given|taken|took|put|came|fell|ran|died|bought|had|was|were|born|became|become|began|begun|started?|runs|only|found|let|cut|handed)\b/;

/** Removes the time at the end of a statement about an event. Other statements stay unchanged. */
export function withoutWhen(statement: string): string {
  if (!HAPPENED.test(statement)) return statement;
  const once = statement.replace(WHEN, "");
  return once === statement ? once : once.replace(WHEN, "");
}
