import { z } from "zod";
import { action, inWorkspace } from "../define-action.ts";
import { archived, takenOver } from "../entities/archive.ts";
import { pod, space } from "../entities/pod.ts";
import { description, id, name, nothing, page, pageInput } from "../primitives.ts";

export const podsActions = {
  "pods.create": inWorkspace("editor", { name, description: description.default("") }, pod),
  "pods.list": inWorkspace("viewer", { ...pageInput }, page(pod)),
  "pods.get": inWorkspace("viewer", { podId: id }, pod),
  "pods.update": inWorkspace("editor", { podId: id, name: name.optional(), description: description.optional() }, pod),
  "pods.remove": inWorkspace("admin", { podId: id }, nothing),
  "pods.spaces.create": inWorkspace("editor", { name, podId: id.optional() }, space),
  "pods.spaces.list": inWorkspace("viewer", { podId: id.optional(), ...pageInput }, page(space)),
  "pods.spaces.get": inWorkspace("viewer", { spaceId: id }, space),
  "pods.spaces.update": inWorkspace("editor", { spaceId: id, name: name.optional() }, space),
  "pods.spaces.remove": inWorkspace("editor", { spaceId: id }, nothing),
  "pods.spaces.exists": action("internal", { workspaceId: id, spaceId: id }, z.object({ exists: z.boolean() }), {
    reads: true,
  }),
  /** Creates the default space of a workspace, which has the workspace's id. A repeated call changes nothing. */
  "pods.spaces.createDefault": action("internal", { workspaceId: id }, nothing),
  /** Imports a record of an archive. Its ids are already those of this workspace. */
  "pods.takeOver": action(
    "internal",
    { workspaceId: id, record: z.discriminatedUnion("kind", [archived.pod, archived.space]) },
    takenOver,
  ),
  "pods.purge": action("internal", { workspaceId: id }, nothing),
};
