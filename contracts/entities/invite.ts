import { z } from "zod";
import { id, role, timestamp } from "../primitives.ts";
import { email } from "./user.ts";

export const invite = z
  .object({ id, workspaceId: id, email, role, invitedBy: id, createdAt: timestamp, expiresAt: timestamp })
  .meta({ id: "Invite" });
export type Invite = z.infer<typeof invite>;

/** The facts about an invite that the holder of its token may know before signing in. */
export const inviteOffer = z
  .object({ workspaceName: z.string(), email, role, invitedBy: z.string(), expiresAt: timestamp })
  .meta({ id: "InviteOffer" });

export const newInvite = invite
  .extend({
    token: z.string().meta({ description: "The token with which the invited user accepts. Shown only once." }),
    link: z.string().meta({
      description: "The link to the page that accepts the invite, below `PUBLIC_URL`. Send it to the invited user.",
    }),
  })
  .meta({ id: "NewInvite" });
