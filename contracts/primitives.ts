import { z } from "zod";

/** A lower-case UUID. Weft creates version 7, so ids sort by creation. */
export const ID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const id = z.string().regex(ID_PATTERN, "Expected a lower-case UUID").meta({ format: "uuid" });

/** ISO 8601 UTC with milliseconds and Z. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** What `moment` requires beyond RFC 3339: capital letters, and no leap seconds. */
export const MOMENT_PATTERN = "T\\d\\d:\\d\\d(:[0-5]\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)$";
/** A time in a request, with any precision and offset. */
export const moment = z.iso
  .datetime({ offset: true, error: "Expected a time such as 2026-01-31T08:00:00Z" })
  .meta({ pattern: MOMENT_PATTERN });

/** Any JSON value, null included. Size and depth are limited where the body is read. */
export const json = z.unknown().meta({ description: "Any JSON value." });

/** At least one character that is not white space. The OpenAPI document shows it as the field's pattern. */
const NOT_BLANK = { pattern: "\\S" };
/** A short text, stored without surrounding white space. */
export const trimmed = (max: number) => z.string().trim().min(1).max(max).meta(NOT_BLANK);
/** A text that is stored unchanged and is not blank. */
export const prose = (max: number) =>
  z
    .string()
    .max(max)
    .refine(value => value.trim() !== "", "Must not be blank")
    .meta(NOT_BLANK);

/** The largest number in a path or a query: 15 digits, which a double represents exactly. */
const MAX_COUNT = 999_999_999_999_999;
/** A whole number without a specific limit, such as a position. */
export const count = (least: 0 | 1) => z.int().min(least).max(MAX_COUNT);

export const name = trimmed(200);
export const description = z.string().max(10_000);

/** A short name for addresses and files. */
export const slug = z
  .string()
  .min(1)
  .max(80)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, "Expected lower-case letters and digits, with single dashes between them");

/** The slug of an object in a space. Nodes of versions without slugs omit it. */
export const slugInSpace = slug.optional().meta({
  description:
    "Names it in folders that `weft pull` writes. It is unique in the space, and stays when the name changes.",
});

/** For a resource whose `ETag` begins with it. Nodes of versions without this field omit it. */
export const revision = z
  .int()
  .min(0)
  .optional()
  .meta({ description: "A number that increases by one with each change by a client." });

/** The value of `If-Match`. */
export const ifMatch = z.string().max(200).optional();

/** The slug that a creation requests. */
export const newSlug = slug.optional().meta({ description: "Default: made from the name." });

/** Lowest first. Each role includes those before it. */
export const ROLES = ["viewer", "editor", "admin", "owner"] as const;
export const role = z.enum(ROLES);
export type Role = z.infer<typeof role>;

/** One or several of these words. In a query, commas separate them. */
export const several = <T extends z.ZodEnum>(word: T) =>
  z.union([word, z.array(word).min(1).max(20)], {
    error: () => `Expected one or more of ${word.options.join(", ")}`,
  });

/** The words of such a field as a list. */
export const asList = <T>(given: T | readonly T[] | undefined): readonly T[] =>
  given === undefined ? [] : Array.isArray(given) ? (given as readonly T[]) : [given as T];

export const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

/** Cursors are opaque, but consist only of these characters. */
const CURSOR_PATTERN = /^[\w.-]{1,2000}$/;

/** The input of every list action. */
export const pageInput = {
  limit: z.int().min(1).max(MAX_PAGE).default(DEFAULT_PAGE),
  cursor: z.string().regex(CURSOR_PATTERN, "Expected the cursor of a page of this list").optional(),
};

/** The output of every list action. The API returns `items` as an array and `next` in the Link header. */
export const page = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item), next: z.string().nullable() });
export interface Page<T> {
  items: T[];
  next: string | null;
}

/** The output of a list that counts its items. The API returns the number in `X-Total-Count`. */
export const countedPage = <T extends z.ZodType>(item: T) =>
  page(item).extend({ total: z.int().min(0).optional(), totalIsMin: z.boolean().optional() });
export interface CountedPage<T> extends Page<T> {
  total?: number;
  /** True if there may be more than `total`. */
  totalIsMin?: boolean;
}

export const nothing = z.null();
