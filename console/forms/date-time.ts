const two = (n: number) => String(n).padStart(2, "0");

/** A time for an input of type `datetime-local`, in the time zone of the browser. Empty for an invalid value. */
export function localDateTime(value: unknown): string {
  const at = typeof value === "string" ? new Date(value) : new Date(Number.NaN);
  if (Number.isNaN(at.getTime())) return "";
  const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** The UTC time of a `datetime-local` input. Undefined while it is empty. */
export function momentOf(text: string): string | undefined {
  const at = new Date(text);
  return text === "" || Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
