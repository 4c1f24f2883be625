// Reported speech: "the doctor says that X" is read as "X".

const NAME = "\\p{Lu}[\\p{L}'.-]*(?: \\p{Lu}[\\p{L}'.-]*){0,3}";
const SOURCE = `(${NAME}|[Tt]he user's [\\w -]+?|[Tt]he (?!user\\b)[\\w -]+?|They)`;
const TOLD =
  "(?:has |have |just )?(?:told (?:the user|them)|says?|said|mentioned|lets? (?:the user|them) know|informed (?:the user|them)|texted(?: the user)?|wrote(?: to the user)?|emailed(?: the user)?|reports|reported|confirmed|announced)";
/**
 * Sources that are believed about the user. Other sources are believed about their own things and about third parties.
 */
const AUTHORITY =
  /^(?:they|hr|management|the (?:doctor|dentist|lab|clinic|bank|school|landlord|company|office)|the user's (?:\w+ )?(?:doctor|dentist|manager|boss|supervisor|company|employer|landlord|landlady|bank|school|physician|gp|allergist|therapist))$/i;
const NEWS =
  /\b(?:now|no longer|any ?more|any longer|from now on|instead|(?:has|have|was|were|got|been) (?:\w+ed|sold|gone|left|quit)|moved|changed|switched)\b/i;
const SELF = /^the user (?!and\b)/i;
/** The statement about a thing, a person, or something that belongs to the user. */
const MATTER = "((?:the|an?) .+|\\p{Lu}.+)";

const HEARD =
  /^The user (?:has |have )?(?:just |recently )?(?:(?:heard|was told|were told|was informed|has been told|has been informed|got told)(?: that)?|(?:learned|learnt|found out|read|saw|noticed) that) (their )?(.+)$/;
const THEIRS = new RegExp(`^${SOURCE} ${TOLD}(?: that)? (?:his|her|their) (.+)$`, "u");
const MATTERS = new RegExp(`^${SOURCE} ${TOLD}(?: that)? ${MATTER}$`, "u");
const REPORTS =
  /\b(?:told|says?|said|mentioned|know|informed|texted|wrote|emailed|report\w+|confirmed|announced|heard|learn\w+|found|read|saw|noticed)\b/;

const upperFirst = (text: string) => text.replace(/^\p{Ll}/u, first => first.toUpperCase());

/** The reported statement without its source if the source is believed; otherwise the statement unchanged. */
export function withoutSource(statement: string): string {
  if (!REPORTS.test(statement) || /["“”:]/.test(statement)) return statement;
  const [, own, heard] = HEARD.exec(statement) ?? [];
  if (heard !== undefined) {
    const isMatter = own !== undefined || /^(?:the|an?) (?!user\b)|^the user's |^\p{Lu}/u.test(heard);
    return isMatter && NEWS.test(heard) ? upperFirst(own === undefined ? heard : `the user's ${heard}`) : statement;
  }
  const [, owner, theirs] = THEIRS.exec(statement) ?? [];
  if (owner !== undefined) return /^they$/i.test(owner) ? statement : upperFirst(`${owner}'s ${theirs}`);
  const [, source, matter] = MATTERS.exec(statement) ?? [];
  if (source === undefined || matter === undefined || /^the user$/i.test(source)) return statement;
  const counts = AUTHORITY.test(source) || (NEWS.test(matter) && !SELF.test(matter));
  return counts ? upperFirst(matter) : statement;
}
