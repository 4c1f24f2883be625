import { isTransientStatus, retryAfterMs } from "../../core/http-retry.ts";
import { policy } from "../../core/graph/definition.ts";
import { retryDelay } from "../../core/run/fail-step.ts";
import { encodeBody, textOf } from "../../core/http-body.ts";
import { detailsOf } from "../../services/executions/engine/steps/http-details.ts";

test("retries only transient statuses", () => {
  expect([408, 425, 429, 500, 503, 599].map(isTransientStatus)).toEqual(new Array(6).fill(true));
  expect([400, 401, 403, 404, 409, 422, 302, 501, 505].map(isTransientStatus)).toEqual(new Array(9).fill(false));
});

test("reads Retry-After as seconds or a date", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(retryAfterMs("7", now)).toBe(7_000);
  expect(retryAfterMs("Thu, 01 Jan 2026 00:00:30 GMT", now)).toBe(30_000);
  expect(retryAfterMs("Wed, 31 Dec 2025 00:00:00 GMT", now)).toBe(0);
  for (const text of [undefined, "", "soon"]) expect(retryAfterMs(text, now)).toBeUndefined();
});

test("waits as long as the server asks, up to maxMs or five minutes", () => {
  const given = (retry: object) => policy.parse({ retry: { maxAttempts: 2, jitter: 0, ...retry } }).retry;
  expect(retryDelay(given({}), 1, 0, 90_000)).toBe(90_000);
  expect(retryDelay(given({}), 1, 0, 3_600_000)).toBe(300_000);
  expect(retryDelay(given({ maxMs: 2_000 }), 1, 0, 90_000)).toBe(2_000);
  expect(retryDelay(given({}), 1, 0, 10)).toBe(500);
});

test("sends an object under a form type as a form", () => {
  const type = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
  expect(encodeBody({ a: "x y&z", n: 1, list: ["p", true], none: null }, type)).toBe("a=x+y%26z&n=1&list=p&list=true");
  expect(() => encodeBody({ a: { b: 1 } }, type)).toThrow(/\/data\/body\/a:/);
  const headers: Record<string, string> = {};
  expect([encodeBody({ a: 1 }, headers), headers["content-type"]]).toEqual(['{"a":1}', "application/json"]);
});

test("does not convert binary data to text", () => {
  expect(textOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47), "image/png")).toBeUndefined();
  expect(textOf(Uint8Array.of(0x41, 0x00), "application/octet-stream")).toBeUndefined();
  expect(textOf(Uint8Array.of(0xe9), "text/plain; charset=ISO-8859-1")).toBe("é");
  expect(textOf(Buffer.from("é"), "text/plain")).toBe("é");
});

test("puts the body into the details of an error, and no secret that was sent", () => {
  const basic = Buffer.from("ada:correct horse").toString("base64");
  const headers = { authorization: `Basic ${basic}`, "x-api-key": "key-1234567890", "content-type": "text/csv" };
  const body = Buffer.from(
    `{"no":"correct horse","also":"key-1234567890","q":"query-secret-1","why":"bad"}${"x".repeat(9_000)}`,
  );
  const sent = { method: "POST", url: "https://api.example/v1/things?token=query-secret-1", headers };
  const details = detailsOf(sent, {
    status: 422,
    headers: { "set-cookie": "s=1", "content-type": "text/plain" },
    body,
  });
  expect(details).toMatchObject({ method: "POST", url: "https://api.example/v1/things", status: 422 });
  expect(details.headers).toEqual({ "content-type": "text/plain" });
  expect(details.body).toHaveLength(4_096);
  expect(details.body).toContain('"why":"bad"');
  for (const secret of ["correct horse", "key-1234567890", "query-secret-1", basic]) {
    expect(JSON.stringify(details)).not.toContain(secret);
  }
});
