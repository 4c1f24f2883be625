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

const WITH_FILE = "only where the body is the file itself";

export const FILE_PARAMETERS: Parameter[] = [
  {
    name: "name",
    in: "query",
    required: false,
    description: `${WITH_FILE}: what it is called. Needed there, or in Content-Disposition`,
    schema: { type: "string", minLength: 1, maxLength: 500 },
  },
  {
    name: "metadata",
    in: "query",
    required: false,
    description: `${WITH_FILE}: a JSON object, for every entry that is made of it`,
    content: { "application/json": { schema: { type: "object" } } },
  },
  {
    name: "Content-Disposition",
    in: "header",
    required: false,
    description: `${WITH_FILE}: \`attachment; filename*=UTF-8''…\` or \`filename="…"\`, where the query has no \`name\``,
    schema: text,
  },
];

const HEADERS: Record<string, Omit<Parameter, "in" | "required">> = {
  prefer: {
    name: "Prefer",
    description: "`wait=N`: answer once the run has ended, or after N seconds (0 to 60)",
    schema: text,
  },
  "if-match": { name: "If-Match", description: "change it only if this is still its `ETag`", schema: text },
  "idempotency-key": {
    name: "Idempotency-Key",
    description:
      "1 to 255 visible ASCII characters that are unique to this request. The same request with the same key gets the first " +
      "answer again for 24 hours; nothing is created twice",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
  },
  cookie: {
    name: "weft_session",
    description: "the session of the web page, which the browser keeps; `__Secure-weft_session` over TLS",
    schema: text,
  },
  "weft-console": { name: "Weft-Console", description: "`1`, from a page of this origin", schema: { const: "1" } },
  "x-webhook-secret": {
    name: "x-webhook-secret",
    description: "the secret of the webhook, unless its `auth` names another proof",
    schema: text,
  },
  "if-none-match": { name: "If-None-Match", description: "304 if this is still its `ETag`", schema: text },
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
