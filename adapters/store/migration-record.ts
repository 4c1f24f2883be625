import { defineCollection } from "./define-collection.ts";
import { date, optional, string } from "./field-types.ts";

/**
 * Records the migration that filled a store, and whether it finished: so a migration that was cut off can continue, and no
 * service starts on a part.
 */
export const migrations = defineCollection({
  name: "migrations",
  tenant: false,
  fields: {
    /** Identifies the installation that the documents come from. */
    source: string(),
    startedAt: date(),
    /** Set once both sides were compared and are the same. */
    finishedAt: optional(date()),
  },
});

export const MIGRATION_ID = "migration";
