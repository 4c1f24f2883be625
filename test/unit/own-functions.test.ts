import { compileTemplates, createExpressions, ExpressionError } from "../../adapters/expressions/index.ts";

const expressions = createExpressions();
afterAll(() => expressions.close());

const MOMENT = { now: Date.parse("2026-03-29T00:30:00Z"), seed: "run:step@1" };
const scope = {
  input: {
    rows: [
      { a: 1, b: 'x,"y"' },
      { a: 2, c: null },
    ],
    none: null,
  },
  steps: {},
};
const resolve = (data: unknown, moment = MOMENT): Promise<unknown> =>
  Promise.resolve(expressions.resolve(compileTemplates(data), scope, { moment: () => moment }));
const fault = async (expression: string): Promise<string> => {
  const error: unknown = await resolve(`{{ ${expression} }}`).then(
    value => new Error(`expected a fault, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof ExpressionError) return error.message;
  throw error;
};

describe("time", () => {
  it("is that of the step, in each lane and in every form", async () => {
    expect(await resolve(["{{ $now() }}", "{{ $millis() }}", "{{ $now('[H01]:[m01]', '+0200') }}"])).toEqual([
      "2026-03-29T00:30:00.000Z",
      MOMENT.now,
      "02:30",
    ]);
    expect(await resolve("{{ [1..2].$now() }}")).toEqual(Array(2).fill("2026-03-29T00:30:00.000Z"));
    expect(await resolve("{{ $eval('$now()') }}")).toBe("2026-03-29T00:30:00.000Z");
  });

  test.each<[string, unknown]>([
    ["$addTime($now(), 1, 'day', 'Europe/Berlin')", "2026-03-29T23:30:00.000Z"],
    ["$addTime($now(), 24, 'hours', 'Europe/Berlin')", "2026-03-30T00:30:00.000Z"],
    ["$addTime('2024-02-29', 1, 'year')", "2025-02-28T00:00:00.000Z"],
    ["$addTime(0, -1, 'weeks')", "1969-12-25T00:00:00.000Z"],
    ["$formatDate($now(), 'yyyy-MM-dd HH:mm:ss.SSS ZZ', 'America/New_York')", "2026-03-28 20:30:00.000 -04:00"],
    ["$formatDate(0, \"h 'o''clock' a, EEEE d MMMM yy\")", "12 o'clock AM, Thursday 1 January 70"],
    ["$parseDate('2026-03-29 02:30', 'yyyy-MM-dd HH:mm', 'Europe/Berlin')", "2026-03-29T01:00:00.000Z"],
    ["$parseDate('March 5, 2026 3:07 PM', 'MMMM d, yyyy h:mm a')", "2026-03-05T15:07:00.000Z"],
    ["$parseDate('2026-01-02T03:04:05+05:30')", "2026-01-01T21:34:05.000Z"],
    ["$parseDate('05/03/26 +0200', 'dd/MM/yy ZZZ')", "2026-03-04T22:00:00.000Z"],
    ["$parseDate('1700000000', 'X')", "2023-11-14T22:13:20.000Z"],
    ["$formatDate(input.missing, 'yyyy')", null],
  ])("%s", async (expression, value) => expect(await resolve(`{{ ${expression} }}`)).toEqual(value));

  test.each<[string, RegExp]>([
    ["$formatDate('soon', 'yyyy')", /\$formatDate: "soon" is not a time in ISO 8601/],
    ["$formatDate(0, 'yyyy', 'Mars/Base')", /time zone "Mars\/Base" is not known/],
    ["$parseDate('31.02.2026', 'dd.MM.yyyy')", /not a valid date or time/],
    ["$parseDate('x', 'dd.MM.yyyy')", /does not have the form/],
    ["$parseDate('1', 'd d')", /has "d" twice/],
    ["$addTime(0, 1, 'fortnight')", /not a unit of time/],
    ["$addTime(0, 0.5, 'months')", /not a whole number/],
    ["$addTime(0, 1e300, 'hours')", /outside the range of dates/],
    ["$hash('a', 'crc')", /algorithm is not one of/],
    ["$jwtDecode('a.b')", /not a JSON Web Token/],
    ["$url('nowhere')", /not an address/],
    ["$csv('\"open')", /does not end/],
  ])("is rejected: %s", async (expression, message) => expect(await fault(expression)).toMatch(message));
});

describe("UUIDs", () => {
  const template = { a: "{{ $uuid() }}", b: ["{{ $uuid() }}", "{{ [1..3].$uuid() }}"] };
  const flat = (value: unknown): string[] => Object.values(value as { a: string; b: unknown[] }).flat(2) as string[];

  it("are repeated within an attempt, and differ within it and between attempts", async () => {
    const first = flat(await resolve(template));
    expect(flat(await resolve(template))).toEqual(first);
    const others = flat(await resolve(template, { ...MOMENT, seed: "run:step@2" }));
    expect(new Set([...first, ...others]).size).toBe(10);
    for (const id of first) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });
});

describe("text", () => {
  test.each<[string, unknown]>([
    ["$hash('', 'sha256')", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["$hash({'a': 1}) = $hash('{\"a\":1}')", true],
    ["['a', 'b'] ~> $map($hash) ~> $count()", 2],
    [
      "$hmac('what do ya want for nothing?', 'Jefe', 'sha256', 'hex')",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ],
    ["$csv(input.rows)", 'a,b,c\r\n1,"x,""y""",\r\n2,,'],
    ["$csv($csv(input.rows))[0]", { a: "1", b: 'x,"y"', c: "" }],
    [
      "$csv('a;b\n1;\"2\n3\"\n', {'delimiter': ';', 'header': false})",
      [
        ["a", "b"],
        ["1", "2\n3"],
      ],
    ],
    [
      "$url('../x?a=1&a=2#f', 'https://u@example.com:8080/y/z').[path, port, query.a, hash]",
      ["/x", "8080", "1", "2", "f"],
    ],
  ])("%s", async (expression, value) => expect(await resolve(`{{ ${expression} }}`)).toEqual(value));
});
