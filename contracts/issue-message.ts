import type { z } from "zod";

type Issue = z.core.$ZodIssue;
type Sized = Extract<Issue, { code: "too_small" | "too_big" }>;

/** The types of JSON, as zod names them. */
const TYPES: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
const typeOf = (name: string) => TYPES[name] ?? name;

const UNITS: Record<string, string> = { string: "character", array: "item" };

function sizeOf(issue: Sized): string {
  const { origin, exact, inclusive } = issue;
  const [bound, least, beyond] =
    issue.code === "too_small" ? [issue.minimum, "at least", "more than"] : [issue.maximum, "at most", "less than"];
  const unit = UNITS[origin];
  const limit = exact ? "exactly" : inclusive === false ? beyond : least;
  if (!unit) return `Must be ${limit} ${bound}`;
  if (issue.code === "too_small" && issue.minimum === 1) return "Must not be empty";
  return `Must have ${limit} ${bound} ${unit}${Number(bound) === 1 ? "" : "s"}`;
}

const oneOf = (values: readonly unknown[]) => values.map(value => JSON.stringify(value)).join(", ");

/**
 * The message of an issue for people. A message that a schema has of its own stays. Zod's messages say the same in the
 * words of its types.
 */
export function messageOf(issue: Issue): string {
  const { message } = issue;
  if (!/^(Invalid|Too (small|big))\b/.test(message)) return message;
  switch (issue.code) {
    case "invalid_type": {
      const [, received = ""] = /received (\w+)$/.exec(message) ?? [];
      if (received === "undefined") return "Is missing";
      return `Expected ${typeOf(issue.expected)}, not ${typeOf(received)}`;
    }
    case "invalid_value":
      return issue.values.length === 1 ? `Expected ${oneOf(issue.values)}` : `Expected one of ${oneOf(issue.values)}`;
    case "too_small":
    case "too_big":
      return sizeOf(issue);
    case "invalid_format":
      return message.replace(/^Invalid string: must/, "Must").replace(/^Invalid/, "Expected a valid");
    case "invalid_union":
      // Objects of several kinds name the field that tells the kind, and its values.
      return "options" in issue && issue.options
        ? `Expected one of ${oneOf(issue.options)}`
        : "Has none of the allowed forms";
    default:
      return message;
  }
}
