import { slug as slugSchema } from "../contracts/primitives.ts";

export const isSlug = (text: string): boolean => slugSchema.safeParse(text).success;

/** Equals the bound in contracts/primitives.ts. */
const MAX_LENGTH = 80;

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const LATIN: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" };

const trimDashes = (text: string) => text.replace(/^-+|-+$/g, "");

/**
 * Makes a URL-safe slug: 1 to 80 lower-case ASCII letters and digits, with single dashes between them. A text without
 * letters or digits gives the fallback.
 */
export function slugify(text: string, fallback: string): string {
  const ascii = text
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, letter => LATIN[letter]!)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
  return trimDashes(trimDashes(ascii).slice(0, MAX_LENGTH)) || fallback;
}

/** The slug with a suffix that makes it unique, within the same length. */
export function withSuffix(slug: string, suffix: string): string {
  return `${trimDashes(slug.slice(0, MAX_LENGTH - suffix.length - 1))}-${suffix}`;
}

/** Suffixes that make a slug unique, from the random end of a UUID, shorter first. */
export const suffixesOf = (id: string): string[] => [id.slice(-6), id.slice(-12)];
