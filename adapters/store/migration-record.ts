import { Schema } from "./schema.ts";
import { defineCollection } from "./define-collection.ts";

interface MigrationDoc {
  id: string;
  /** What tells the installation that it comes from. */
  source: string;
  startedAt: Date;
  /** Both sides were compared, and are the same. */
  finishedAt?: Date;
}

const schema = new Schema({
  source: { type: String, required: true },
  startedAt: { type: Date, required: true },
  finishedAt: Date,
});

/**
 * Says that what a store holds was brought there, and whether all of it was: so a migration that was cut off may go on, and
 * nobody works on a part.
 */
export const migrations = defineCollection<MigrationDoc>({ name: "migrations", schema, tenant: false });

export const MIGRATION_ID = "migration";
