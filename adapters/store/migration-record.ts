import { defineCollection } from "./define-collection.ts";
import { date, optional, string } from "./field-types.ts";

/**
 * Records the migration that filled a store, and whether it finished. So an interrupted migration can continue, and no
 * service starts on a partial store.
 */
export const migrations = defineCollection({
  name: "migrations",
  tenant: false,
  fields: {
    /** Identifies the installation that the documents come from. */
    source: string(),
    startedAt: date(),
    /** Set once both sides were compared and are equal. */
    finishedAt: optional(date()),
  },
});

export const MIGRATION_ID = "migration";
