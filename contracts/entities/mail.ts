import { z } from "zod";

const link = z.string().max(2_000);
const text = z.string().max(2_000);

/** The content of mails. Names and texts of people are unescaped, because the templates escape them. */
export const mailContent = z.discriminatedUnion("template", [
  z.object({ template: z.literal("password-reset"), link, minutes: z.int() }),
  z.object({ template: z.literal("password-changed"), publicUrl: link }),
  z.object({ template: z.literal("invite"), link, workspace: text, invitedBy: text, role: text, days: z.int() }),
  z.object({ template: z.literal("confirm-address"), link, newAddress: text, isNew: z.boolean(), hours: z.int() }),
  z.object({ template: z.literal("factors-changed"), what: text, publicUrl: link }),
  z.object({ template: z.literal("question"), title: text, body: text, link: z.string().max(4_000) }),
  z.object({
    template: z.literal("notifications"),
    items: z
      .array(z.object({ title: text, body: z.string().max(20_000), link: z.string().max(4_000).nullable() }))
      .min(1)
      .max(50),
    more: z.int().min(0),
    settingsLink: link,
  }),
]);
export type MailContent = z.infer<typeof mailContent>;
