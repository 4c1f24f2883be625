import type { JsonSchema } from "./json-schema.ts";

const PAGE: NonNullable<Response["content"]> = { "text/html": { schema: { type: "string" } } };
const page = (description: string): Response => ({ description, content: PAGE });

/** The HTML responses of the address of a step. */
export const PAGE_RESPONSES: Record<string, Response> = {
  200: page("A page with a button that posts to the same address"),
  401: page("A page that says that the credential of the step is missing or wrong"),
  404: page("A page that says that the address is not known"),
  410: page("A page that says that the address has been used, or has expired"),
  429: page("A page that says that there were too many requests"),
  500: page("A page that says that the call failed"),
  503: page("A page that says that the call failed"),
};

/** Adds pages to the same responses, for browsers whose `Accept` names HTML. */
export const withPages = (responses: Record<string, Response>): Record<string, Response> => ({
  ...Object.fromEntries(
    Object.entries(responses).map(([status, answer]) => [
      status,
      { ...answer, content: { ...answer.content, ...PAGE } },
    ]),
  ),
  ...(responses[404] ? {} : { 404: PAGE_RESPONSES[404]! }),
});

export interface Response {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content?: Record<string, { schema: JsonSchema }>;
}
