import { z } from "zod";
import { id, name, role, timestamp } from "../primitives.ts";

export const apiKey = z
  .object({
    id,
    workspaceId: id,
    name,
    role,
    createdBy: id,
    createdAt: timestamp,
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: "Accurate to the minute." }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;

export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: "The bearer token. Shown only once." }) })
  .meta({ id: "NewApiKey" });
