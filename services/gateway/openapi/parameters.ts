import { type Route, takesIdempotencyKey } from "../../../contracts/routes.ts";
import type { JsonSchema } from "./json-schema.ts";
import { text } from "./own-schemas.ts";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header" | "cookie";
  required: boolean;
  description?: string;
  schema?: JsonSchema;
  /** How the elements of an array are written: separated by commas. */
  style?: "form" | "deepObject";
  explode?: boolean;
  /** Replaces the schema. The value is a text of this type. */
  content?: Record<string, { schema: JsonSchema }>;
}

const WITH_FILE = "If the body is the file itself";

export const FILE_PARAMETERS: Parameter[] = [
  {
    name: "name",
    in: "query",
    required: false,
    description: `${WITH_FILE}: its name. Required unless \`Content-Disposition\` contains the name.`,
    schema: { type: "string", minLength: 1, maxLength: 500 },
  },
  {
    name: "metadata",
    in: "query",
    required: false,
    description: `${WITH_FILE}: the metadata of all entries that are created from it.`,
    content: { "application/json": { schema: { type: "object" } } },
  },
  {
    name: "Content-Disposition",
    in: "header",
    required: false,
    description: `${WITH_FILE}: \`attachment; filename*=UTF-8''…\` or \`filename="…"\`, if the query has no \`name\`.`,
    schema: text,
  },
];

const HEADERS: Record<string, Omit<Parameter, "in" | "required">> = {
  prefer: {
    name: "Prefer",
    description: "`wait=N`: the response waits until the run ends, for at most N seconds (0 to 60).",
    schema: text,
  },
  "if-match": { name: "If-Match", description: "Changes the resource only if it still has this `ETag`.", schema: text },
  "idempotency-key": {
    name: "Idempotency-Key",
    description:
      "A key that is unique to this request: 1 to 255 visible ASCII characters. For 24 hours, the same request with the same " +
      "key gets the first response again, and has no further effect.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
  },
  cookie: {
    name: "weft_session",
    description: "The session cookie of the web page. Over TLS, its name is `__Secure-weft_session`.",
    schema: text,
  },
  "weft-console": {
    name: "Weft-Console",
    description: "Always `1`. Only pages of this origin can send it.",
    schema: { const: "1" },
  },
  "x-webhook-secret": {
    name: "x-webhook-secret",
    description: "The secret of the webhook, unless its `auth` has another type.",
    schema: text,
  },
  "if-none-match": {
    name: "If-None-Match",
    description: "Answers 304 if the resource still has this `ETag`.",
    schema: text,
  },
};

/** The headers and cookies that requests to a route may or must carry. */
export function headerParameters(route: Route): Parameter[] {
  const names = [
    ...Object.keys(route.headers).filter(name => name !== "user-agent"),
    ...(route.browser ? ["weft-console"] : []),
    ...(route.etag !== "none" && route.method === "GET" ? ["if-none-match"] : []),
    ...(takesIdempotencyKey(route) ? ["idempotency-key"] : []),
  ];
  const needed = new Set(["weft-console"]);
  return names.map(name => ({
    ...HEADERS[name]!,
    in: name === "cookie" ? "cookie" : "header",
    required: needed.has(name),
  }));
}
