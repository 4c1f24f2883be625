import type { JsonSchema } from "./json-schema.ts";

const state: JsonSchema = { type: "string", enum: ["ok", "down"] };
const degradable: JsonSchema = { type: "string", enum: ["ok", "degraded", "down"] };

/** The response of `/health/ready`. */
export const readiness: JsonSchema = {
  type: "object",
  properties: {
    status: degradable,
    dependencies: {
      type: "object",
      properties: {
        store: state,
        files: state,
        nats: state,
        search: degradable,
        services: { type: "object", additionalProperties: state },
      },
      required: ["store", "services"],
    },
  },
  required: ["status", "dependencies"],
};

export const text: JsonSchema = { type: "string" };

/** The content types of the documentation's paths. */
export const DOCS_CONTENT = {
  "text/html": { schema: text },
  "text/css": { schema: text },
  "text/javascript": { schema: text },
  "image/svg+xml": { schema: text },
  "application/json": { schema: { type: "array" } },
};
