/** The time zone of the browser. */
export const ownZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Formats times of day with their day, in a time zone. Undefined for a zone that the browser does not know. */
export function zoneFormat(timeZone: string): ((at: string) => string) | undefined {
  try {
    const format = new Intl.DateTimeFormat(undefined, {
      ...{ weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
      timeZone,
    });
    return at => format.format(Date.parse(at));
  } catch {
    return undefined;
  }
}
