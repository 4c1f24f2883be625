import { z } from "zod";

/**
 * The service cannot start because of a setting. The message is one line, suitable as the last line that an operator
 * reads.
 */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

// Every message is the expected value. The error puts it after the variable's name.

export const text = (expected: string, pattern = /./) => z.string().regex(pattern, expected);

export const integer = (min: number, max: number) => {
  const expected = `an integer from ${min} to ${max}`;
  return text(expected, /^\d{1,15}$/)
    .transform(Number)
    .refine(value => value >= min && value <= max, expected);
};

/** A fraction of a whole. */
export const share = text("a number from 0 to 1", /^(0|1|0?\.\d{1,15}|1\.0+)$/).transform(Number);

export const choice = <const T extends string>(...values: T[]) => z.enum(values, `one of ${values.join(", ")}`);

export const bool = choice("true", "false").transform(value => value === "true");

export const list = (expected: string, item: RegExp) =>
  z
    .string()
    .transform(value => value.split(",").flatMap(part => part.trim() || []))
    .refine(parts => parts.length > 0 && parts.every(part => item.test(part)), expected);

/** A URL with one of these schemes. */
export const address = (...schemes: string[]) => {
  const expected = `an address that begins with ${schemes.map(scheme => `${scheme}://`).join(" or ")}`;
  const begins = new RegExp(`^(${schemes.join("|").replace("+", "\\+")})://\\S+$`);
  // MongoDB addresses may name several hosts, so only its driver can parse them.
  return text(expected, begins).refine(value => !value.startsWith("http") || URL.canParse(value), expected);
};

/** Whether an address names an S3-compatible store with its bucket and keys. */
export function isS3Address(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname, pathname, username, password } = new URL(address);
  return hostname !== "" && username !== "" && password !== "" && /^\/[^/]/.test(pathname);
}
