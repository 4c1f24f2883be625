import type { Answer } from "./api.ts";

/** Expects a complete problem document with this status that reveals no internals. */
export function expectProblem({ status, headers, body }: Answer, expected: number | number[], code?: string): void {
  expect([expected].flat()).toContain(status);
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(body).toMatchObject({ status, requestId: headers.get("x-request-id") });
  expect(body.code).toMatch(/^[a-z_]+$/);
  if (code !== undefined) expect(body.code).toBe(code);
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts\b|\bat \w+ \(|SQLITE|Moleculer|ZodError|internal_error/);
}

/** The fields that a problem lists. */
export const faultsOf = ({ body }: Answer) => (body.errors as { path: string }[]).map(({ path }) => path);
