import { z } from "zod";
import { provider } from "./sso.ts";

/** Facts about an installation that clients need before anyone signs in. */
export const installation = z
  .object({
    version: z.string(),
    registration: z.enum(["open", "first", "invite", "closed"]).meta({
      description:
        "`open`: anyone may register. `first`: no account exists yet, and the next person may register. `invite`: people with an invite may. `closed`: the operator creates accounts.",
    }),
    contact: z
      .string()
      .optional()
      .meta({ description: "The contact of the operator, for people who need an account." }),
    mail: z
      .boolean()
      .meta({ description: "True if Weft sends mails. A forgotten password can then be reset by mail." }),
    sso: z.array(provider).meta({ description: "The providers that people may sign in by." }),
    ssoOnly: z
      .boolean()
      .meta({ description: "True if people can sign in only through a provider, not with a password." }),
    passkeys: z.boolean().meta({ description: "Browsers allow passkeys at `publicUrl`." }),
    publicUrl: z.string(),
    console: z.boolean().meta({ description: "True if the web page is served." }),
    chatModel: z.string().nullable().meta({ description: "The language model; null if none is configured." }),
    embedder: z.string().meta({ description: "The model that creates vectors for searches." }),
    executionRetentionDays: z.int().optional().meta({
      description: "Executions are removed this many days after their end; 0 if they are kept.",
    }),
    limits: z.record(z.string(), z.int()).meta({ description: "The maximum numbers of resources." }),
  })
  .meta({ id: "Installation" });
export type Installation = z.infer<typeof installation>;
