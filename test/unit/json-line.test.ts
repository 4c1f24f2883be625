import { AppError } from "../../contracts/errors.ts";
import { exposition } from "../../telemetry/exposition.ts";
import { jsonLine } from "../../telemetry/json-line.ts";
import { outsideScope, withScope } from "../../telemetry/scope.ts";

const line = (...args: unknown[]) =>
  JSON.parse(jsonLine("warn", args, { mod: "broker", nodeID: "n1", ns: "weft" })[0]) as Record<string, unknown>;

describe("a log line", () => {
  it("has time, level, message and origin", () => {
    expect(line("all", 2, "well")).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      level: "warn",
      message: "all 2 well",
      service: "broker",
      node: "n1",
    });
  });

  it("names the identity of the work if there is one, also after an await", async () => {
    const scope = { requestId: "r1", workspaceId: "w1", executionId: "e1", action: "a.b" };
    const later = await withScope(scope, async () => {
      await new Promise(resolve => setImmediate(resolve));
      return line("x");
    });
    expect(later).toMatchObject(scope);
    expect(withScope(scope, () => outsideScope(() => line("x")))).not.toHaveProperty("requestId");
    expect(line("x")).not.toHaveProperty("requestId");
  });

  it("contains the fields of plain objects, which cannot replace its own", () => {
    expect(line("x", { requestId: "r1", level: "fatal" })).toMatchObject({ requestId: "r1", level: "warn" });
  });

  it("contains errors with code and stack, and with their message if there is no other", () => {
    const error = Object.assign(new Error("broken"), { code: "E1" });
    expect(line(error)).toMatchObject({
      message: "broken",
      error: { code: "E1", stack: expect.stringContaining("at ") },
    });
    expect(line("while", error)).toMatchObject({ message: "while", error: { message: "broken" } });
    expect(line(new AppError("slug_taken"))).toMatchObject({ error: { code: "slug_taken" } });
  });

  it("masks fields with names of secrets, at any depth", () => {
    const named = { refreshToken: "t", tokens: 12, cookies: ["c"], secrets: { a: "s" }, token: null };
    const fields = { headers: { Authorization: "Bearer x" }, apiKey: "k", ...named };
    const text = jsonLine("info", [fields], {})[0];
    const masked = { headers: { Authorization: "[masked]" }, apiKey: "[masked]", tokens: 12, token: null };
    expect(JSON.parse(text)).toMatchObject(masked);
    expect(text).not.toMatch(/Bearer|"t"|"k"|"c"|"s"/);
  });

  it.each([
    ["cannot reach mongodb://weft:hunter2@db:27017/weft", "hunter2"],
    ["sent Authorization: Bearer abc.def-ghi_jkl", "abc.def"],
    ["the key wfk_0a1B2c3D4e5F", "0a1B"],
    ["the refresh token wfr_0a1B-2c3D_4e5F", "4e5F"],
    ["signed with wfh_0a1B2c3D4e5F", "0a1B"],
    ["a token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "eyJzdWIi"],
  ])("masks values that look like credentials: %s", (text, secret) => {
    for (const args of [[text], [new Error(text)], [{ detail: text }]]) {
      expect(jsonLine("error", args, {})[0]).not.toContain(secret);
      expect(jsonLine("error", args, {})[0]).toContain("[masked]");
    }
  });

  it("leaves other values unchanged", () => {
    const text = "GET http://weft.example.com/a?b=c said Bearer token missing; see me@example.com";
    expect(line(text).message).toBe(text);
  });

  it("is one line whatever is logged", () => {
    const circle: Record<string, unknown> = { big: 1n };
    circle.self = circle;
    expect(line("a\nb", circle)).toMatchObject({ message: "a\nb", fields: expect.stringContaining("Circular") });
    expect(jsonLine("info", ["a\nb"], {})[0]).not.toContain("\n");
  });

  it("is limited in length and time for hostile content", () => {
    const hostile = [
      "x".repeat(1e6),
      `bearer${" ".repeat(1e6)}`,
      "eyJ".repeat(1e6),
      "-eyJ".repeat(1e6),
      "://".repeat(1e6),
    ];
    for (const text of hostile) {
      const [long] = jsonLine("info", [text, { text }, new Error(text)], {});
      expect(long.length).toBeLessThan(50_000);
      expect(JSON.parse(long)).toMatchObject({ level: "info" });
    }
  });

  it("is counted by level from warnings on, starting at zero", () => {
    const count = (level: string) =>
      Number(new RegExp(`lines_total\\{level="${level}"\\} (\\d+)`).exec(exposition())?.[1]);
    const before = count("fatal");
    expect(before).toBe(0);
    jsonLine("fatal", ["x"], {});
    jsonLine("info", ["x"], {});
    expect(count("fatal")).toBe(before + 1);
    expect(exposition()).not.toContain('level="info"');
  });
});
