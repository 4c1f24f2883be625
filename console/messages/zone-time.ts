/** The time zone of the browser. */
export const ownZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns a function that formats a day and time in a time zone. Undefined if the browser does not know the zone. */
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
