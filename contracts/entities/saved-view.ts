import { z } from "zod";
import { id, timestamp, trimmed } from "../primitives.ts";

export const viewName = trimmed(80);
/** The console page of a view, as in its address. */
export const viewPage = z.string().regex(/^[a-z][a-z-]{0,39}$/, "Expected lower-case letters and dashes");
/** The search part of a page's address. */
export const viewQuery = z
  .string()
  .max(2_000)
  .regex(/^(\?[^#\s]*)?$/, "Expected the search part of an address, or nothing");

/** Saved filters of a page with a name, for their maker only or for the whole workspace. */
export const savedView = z
  .object({
    id,
    name: viewName,
    page: viewPage.meta({ description: "Such as `runs`." }),
    query: viewQuery.meta({ description: "The search part of the page's address, such as `?status=failed`." }),
    shared: z.boolean().meta({ description: "True if all members see the view." }),
    mine: z.boolean().meta({ description: "True if the caller created the view." }),
    createdBy: id,
    createdAt: timestamp,
  })
  .meta({ id: "SavedView" });
export type SavedView = z.infer<typeof savedView>;
