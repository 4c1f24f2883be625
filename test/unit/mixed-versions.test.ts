import { z } from "zod";
import { ACTIONS } from "../../contracts/actions.ts";
import { failureOf } from "../../services/gateway/http/problem.ts";

const contracts = Object.entries(ACTIONS);
const internal = contracts.filter(([, { access }]) => access === "internal");

/** The places in a JSON schema where unknown fields are refused. */
function closed(schema: unknown, path: string): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.entries(schema).flatMap(([key, value]) => closed(value, `${path}/${key}`));
  return "additionalProperties" in schema && schema.additionalProperties === false ? [path, ...inner] : inner;
}
const refusing = ([name, { input }]: (typeof contracts)[number]) =>
  closed(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }), name);

describe("nodes of several versions", () => {
  it("may send each other fields that older ones do not know", () => {
    expect(internal.length).toBeGreaterThan(30);
    // A condition that was passed over would find more than was asked for.
    const conditions = /^knowledge\.retrieve\/properties\/filter\//;
    expect(internal.flatMap(refusing).filter(path => !conditions.test(path))).toEqual([]);
  });

  it("reject unknown fields from clients", () => {
    const open = contracts.filter(
      contract => !internal.includes(contract) && !refusing(contract).includes(contract[0]),
    );
    expect(open.map(([name]) => name)).toEqual([]);
  });

  it("distinguish a stored error from a stored result, whatever other fields it has", () => {
    const { input } = ACTIONS["idempotency.settle"];
    const kept = (answer: unknown) => input.shape.answer.parse(answer);
    const error = { code: "conflict", data: null };
    expect(kept({ error, since: 1 })).toEqual({ error });
    expect(kept({ result: null, since: 1 })).toEqual({ result: null });
  });

  it("report an error code that older ones do not know by its status", () => {
    // As it comes from another node.
    const refusal = (code: number, name = "AppError") =>
      Object.assign(new Error("Not now."), { name, code, type: "not_known_yet", data: { detail: "Not now." } });
    expect(failureOf(refusal(409))).toMatchObject({ code: "conflict", data: { detail: "Not now." } });
    expect(failureOf(refusal(503))).toMatchObject({ code: "unavailable", data: { retryAfterSeconds: 1 } });
    expect(failureOf(refusal(500))).toEqual({ code: "internal_error", data: {} });
    expect(failureOf(refusal(409, "TypeError"))).toEqual({ code: "internal_error", data: {} });
  });
});
