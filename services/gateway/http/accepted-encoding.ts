export type Encoding = "br" | "gzip";

const PREFERRED: readonly Encoding[] = ["br", "gzip"];

/** The quality of a coding in Accept-Encoding (RFC 9110, section 12.5.3), from 0 to 1. */
function quality(header: string, coding: string): number {
  for (const part of header.split(",")) {
    const [name = "", ...parameters] = part.split(";").map(text => text.trim().toLowerCase());
    if (name !== coding) continue;
    const q = parameters.find(parameter => parameter.startsWith("q="));
    return q === undefined ? 1 : Number(q.slice(2)) || 0;
  }
  return 0;
}

/** The smallest encoding that the client accepts; undefined for the plain form. */
export function acceptedEncoding(header: string | undefined, available: readonly string[]): Encoding | undefined {
  if (header === undefined) return undefined;
  return PREFERRED.find(coding => available.includes(coding) && quality(header, coding) > 0);
}
