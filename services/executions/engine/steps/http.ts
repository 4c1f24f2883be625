import { callHttp } from "./http-call.ts";
import { httpPages } from "./http-pages.ts";
import { idempotencyKey, type Perform } from "./step.ts";

/** Calls an HTTP endpoint. Every attempt carries the same Idempotency-Key, so an endpoint that checks it acts once. */
export const http: Perform<"http"> = async (data, context, later) => {
  if (data.pagination) return httpPages({ ...data, pagination: data.pagination }, context, later);
  const { method, url, query } = data;
  const result = await callHttp(data, context, { url, query, idempotencyKey: idempotencyKey(context.doc, context.at) });
  if ("failure" in result) return result.failure;
  const { status, headers, body } = result.answer;
  return { kind: "done", output: { status, headers, body }, input: { method, url, query } };
};
