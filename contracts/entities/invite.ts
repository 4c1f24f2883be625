import { z } from "zod";
import { id, role, timestamp } from "../primitives.ts";
import { email } from "./user.ts";

export const invite = z
  .object({ id, workspaceId: id, email, role, invitedBy: id, createdAt: timestamp, expiresAt: timestamp })
  .meta({ id: "Invite" });
export type Invite = z.infer<typeof invite>;

export const newInvite = invite
  .extend({
    token: z.string().meta({ description: "what the invited user accepts with; shown here and never again" }),
    link: z.string().meta({
      description: "the address of the web page that accepts it, below `PUBLIC_URL`; to be sent to the invited person",
    }),
  })
  .meta({ id: "NewInvite" });
