import { z } from "zod";

/** How much of one limit is used. */
export const limitUsed = z
  .object({
    name: z.string().meta({ description: "The name of the limit in `LIMITS`." }),
    what: z.string().meta({ description: "What is counted." }),
    limit: z.int().min(0),
    used: z.int().min(0).nullable().meta({
      description: "Numbers are counted up to 100,000, bytes without a limit. Null if the service does not respond.",
    }),
  })
  .meta({ id: "LimitUsed" });

/** What a workspace uses of the limits on numbers of resources. */
export const limitsUsed = z.object({ limits: z.array(limitUsed) }).meta({ id: "LimitsUsed" });
export type LimitsUsed = z.infer<typeof limitsUsed>;

/** The counts of one service, by the name of the limit. */
export const usedByName = z.record(z.string(), z.int().min(0));
