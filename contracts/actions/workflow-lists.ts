import { z } from "zod";
import { id, pageInput } from "../primitives.ts";

const filters = { trashed: z.boolean().default(false), starred: z.boolean().optional() };
const order = z.enum(["-createdAt", "-updatedAt"]);

export const fields = z.enum(["all", "summary"]).default("all").meta({
  description: "`summary` leaves out the definitions, which can be large: they are null.",
});

/** The input for the list of the workflows of a space. */
export const listInput = { ...filters, sort: order.default("-createdAt"), fields, ...pageInput };

/** The input for the list of the workflows of a workspace. */
export const listAllInput = {
  spaceId: id.optional(),
  ...filters,
  editedBy: id.optional().meta({ description: "Only workflows of which this user has saved a version." }),
  q: z.string().min(1).max(200).optional().meta({ description: "A part of the name or the description." }),
  sort: order.default("-updatedAt"),
  fields: z.enum(["summary"]).default("summary").meta({
    description: "As in the list of a space. This list never contains definitions.",
  }),
  ...pageInput,
};
