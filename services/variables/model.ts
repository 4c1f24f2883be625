import { defineCollection, type DocumentOf } from "../../adapters/store/define-collection.ts";
import { date, json, number, optional, string } from "../../adapters/store/field-types.ts";

/** The variables of a workspace or of a space. The id says which: see `variablesId`. */
export const variables = defineCollection({
  name: "variables",
  tenant: true,
  fields: {
    /** Unset for the variables of the workspace. */
    spaceId: optional(string()),
    values: json<Record<string, unknown>>(),
    revision: number(),
    updatedAt: date(),
  },
  indexes: [[{ workspaceId: 1, _id: 1 }]],
});
export type VariablesDoc = DocumentOf<typeof variables>;

/** A default space has the id of its workspace, so the prefix is needed to distinguish the two. */
export const variablesId = (workspaceId: string, spaceId?: string): string =>
  spaceId === undefined ? `workspace:${workspaceId}` : `space:${spaceId}`;
