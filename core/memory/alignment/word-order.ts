// Brings a statement into the order in which statements are compared: the subject first, in the active voice.

/** What stands before the subject of a statement, where it only says when or why. */
const LEADING =
  /^(?:(?:these days|nowadays|currently|now|instead|sadly|unfortunately|luckily|finally|recently|yesterday|today|last [a-z]+|this [a-z]+|for now|in (?:the )?(?:spring|summer|autumn|winter|end|meantime|[JFMASOND][a-z]{2,8}|\d{4}))|(?:since|as of|from|starting|effective|with|after|because of|due to|thanks to|as an?) [^,]{2,40}?),? (?=the user\b|their\b|the [a-z]|[A-Z])/;

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const PASSIVE =
  /^(.+?) (?:is|are) (?:now )?(handled|managed|run|led|headed|owned|overseen|taught|coached|covered) by (\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?)( now| these days)?$/u;
const ACTIVE: Record<string, string> = {
  run: "runs",
  led: "leads",
  overseen: "oversees",
  taught: "teaches",
  coached: "coaches",
};
/** "The account is handled by Tilda" as "Tilda handles the account". */
export const inActive = (text: string) =>
  text.replace(
    PASSIVE,
    (_, what: string, done: string, who: string, when = "") =>
      `${who} ${ACTIVE[done] ?? done.replace(/d$/, "s")} ${lowerFirst(what)}${when}`,
  );

/** A statement from its subject on. */
export function fromSubject(text: string): string {
  const lead = LEADING.exec(lowerFirst(text))?.[0].length ?? 0;
  return lead === 0 ? text : text.slice(lead).replace(/^\p{Ll}/u, first => first.toUpperCase());
}
