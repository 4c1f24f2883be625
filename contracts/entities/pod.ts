import { z } from "zod";
import { description, id, name, timestamp } from "../primitives.ts";

export const pod = z
  .object({
    id,
    workspaceId: id,
    name,
    slug: z.string(),
    description,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Pod" });
export type Pod = z.infer<typeof pod>;

export const space = z
  .object({
    id,
    workspaceId: id,
    podId: id.optional(),
    name,
    default: z.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Space" });
export type Space = z.infer<typeof space>;
