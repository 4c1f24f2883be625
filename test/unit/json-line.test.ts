import { jsonLine } from "../../config/json-line.ts";

const line = (...args: unknown[]) =>
  JSON.parse(jsonLine("warn", args, { mod: "broker" })[0]) as Record<string, unknown>;

describe("a log line", () => {
  it("says when, how grave, what and where", () => {
    expect(line("all", 2, "well")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      level: "warn",
      message: "all 2 well",
      mod: "broker",
    });
  });

  it("carries the fields of plain objects, which cannot replace its own", () => {
    expect(line("x", { requestId: "r1", level: "fatal" })).toMatchObject({ requestId: "r1", level: "warn" });
  });

  it("carries errors with their stack, and their message where there is no other", () => {
    const error = Object.assign(new Error("broken"), { code: "E1" });
    expect(line(error)).toMatchObject({
      message: "broken",
      error: { code: "E1", stack: expect.stringContaining("at ") },
    });
    expect(line("while", error)).toMatchObject({ message: "while", error: { message: "broken" } });
  });

  it("masks what is named like a secret, at any depth", () => {
    const fields = { headers: { Authorization: "Bearer x" }, apiKey: "k", refreshToken: "t", tokens: 12 };
    const text = jsonLine("info", [fields], {})[0];
    expect(JSON.parse(text)).toMatchObject({ headers: { Authorization: "[masked]" }, apiKey: "[masked]", tokens: 12 });
    expect(text).not.toMatch(/Bearer|"t"|"k"/);
  });

  it("is one line whatever is logged", () => {
    const circle: Record<string, unknown> = { big: 1n };
    circle.self = circle;
    expect(line("a\nb", circle)).toMatchObject({ message: "a\nb", fields: expect.stringContaining("Circular") });
    expect(jsonLine("info", ["a\nb"], {})[0]).not.toContain("\n");
  });
});
