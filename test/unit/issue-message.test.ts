import { z } from "zod";
import { messageOf } from "../../contracts/issue-message.ts";

const said = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value);
  return error!.issues.map(messageOf);
};

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "Is missing"],
  [z.string(), 7, "Expected a string, not a number"],
  [z.int(), "7", "Expected a number, not a string"],
  [z.int(), 7.5, "Expected an integer, not a number"],
  [z.boolean(), null, "Expected true or false, not null"],
  [z.array(z.string()), {}, "Expected a list, not an object"],
  [z.record(z.string(), z.string()), [], "Expected an object, not a list"],
  [z.literal("a"), "b", 'Expected "a"'],
  [z.enum(["a", "b"]), "c", 'Expected one of "a", "b"'],
  [z.string().min(1), "", "Must not be empty"],
  [z.string().min(6), "12345", "Must have at least 6 characters"],
  [z.string().max(3), "1234", "Must have at most 3 characters"],
  [z.string().length(6), "1", "Must have exactly 6 characters"],
  [z.array(z.string()).min(1), [], "Must not be empty"],
  [z.array(z.string()).max(1), ["a", "b"], "Must have at most 1 item"],
  [z.int().min(1), 0, "Must be at least 1"],
  [z.int().max(50), 51, "Must be at most 50"],
  [z.number().gt(0), 0, "Must be more than 0"],
  [z.uuid(), "x", "Expected a valid UUID"],
  [z.string().regex(/^a$/), "b", "Must match pattern /^a$/"],
  [z.union([z.string(), z.boolean()]), 7, "Has none of the allowed forms"],
  [
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    { kind: "c" },
    'Expected one of "a", "b"',
  ],
  [z.string().max(3, "At most a short text"), "1234", "At most a short text"],
])("the fault of a value is said in plain words: %#", (schema, value, message) => {
  expect(said(schema, value)).toEqual([message]);
});
