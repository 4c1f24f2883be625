import { z } from "zod";
import { id, name, role, slug, timestamp } from "../primitives.ts";

export const workspace = z
  .object({
    id,
    name,
    slug,
    role,
    demandsFactor: z.boolean().meta({
      description:
        "True if members need a session with a second factor, because this workspace or the operator demands it.",
    }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Workspace", description: "A workspace with the caller's `role`." });
export type Workspace = z.infer<typeof workspace>;

export const member = z
  .object({
    userId: id,
    role,
    name: name.nullable(),
    email: z.string().nullable(),
    managedBy: z
      .string()
      .nullable()
      .meta({ description: "The provider whose groups give the role; null if a person gave it." }),
    createdAt: timestamp,
  })
  .meta({ id: "Member" });
export type Member = z.infer<typeof member>;
