import type { ServiceSchema } from "moleculer";
import { v7 as uuid } from "uuid";
import type { Identity } from "../../contracts/entities/user.ts";
import type { ServiceNode } from "./service-node.ts";

/** The ids that actions on a knowledge base need. */
export interface Base {
  workspaceId: string;
  id: string;
}

export interface Notice {
  type: string;
  title: string;
  body: string;
  to: unknown;
}

/** Stubs of the services that `knowledge` calls. They add its notices to the list. */
export const aroundKnowledge = (notices: Notice[] = []): ServiceSchema[] => [
  { name: "workspaces", actions: { roleOf: () => ({ role: "editor", memberId: "m" }) } },
  { name: "audit", actions: { record: () => null } },
  {
    name: "notifications",
    actions: {
      notify(ctx: { params: unknown }) {
        notices.push(ctx.params as Notice);
        return { notified: 1 };
      },
    },
  },
];

/** A new knowledge base, in a new workspace unless one is given. */
export async function newBase(node: ServiceNode, owner: Identity, workspaceId: string = uuid()): Promise<Base> {
  const { id } = await node.act(owner, "knowledge.create", { workspaceId, name: "Handbook" });
  return { workspaceId, id };
}
