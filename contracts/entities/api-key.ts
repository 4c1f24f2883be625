import { z } from "zod";
import { addressRanges, keyScopes } from "../key-scopes.ts";
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
    scopes: keyScopes.meta({ description: "What the key may do. Without scopes, all that its role allows." }),
    addresses: addressRanges.meta({
      description: "The addresses from which the key is valid. Absent means everywhere.",
    }),
    rotatedUntil: timestamp
      .nullable()
      .meta({ description: "Until when the value before the last rotation is still valid." }),
    lastUsedAt: timestamp.nullable().meta({ description: "Accurate to the minute." }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;

export const newApiKey = apiKey
  .extend({ key: z.string().meta({ description: "The bearer token. Shown only once." }) })
  .meta({ id: "NewApiKey" });
