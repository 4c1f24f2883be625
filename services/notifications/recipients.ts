import type { Context } from "moleculer";
import type { ParamsOf } from "../../contracts/actions.ts";
import { call } from "../../contracts/call.ts";
import { AppError } from "../../contracts/errors.ts";
import { isForMembers } from "./model.ts";

type Notify = ParamsOf<"notifications.notify">;

const PAGE = 200;
/** A workspace has fewer members. This is only a bound for the loop. */
const MAX_PAGES = 10_000;

const fault = (field: string, message: string) =>
  new AppError("validation_failed", { errors: [{ path: `/${field}`, message }] });

/**
 * The recipients of a notification, each once, page by page.
 * @throws {AppError} validation_failed when there are no recipients, or members without a workspace
 */
export async function* recipientsOf(
  ctx: Context,
  { workspaceId, type }: Omit<Notify, "to">,
  to: Notify["to"],
): AsyncGenerator<string[]> {
  const named = [...new Set(to.userIds)];
  const { role } = to;
  if (!to.userIds && !role) throw fault("to", "Expected `userIds` or `role`");
  const amongMembers = isForMembers(type);
  if (!workspaceId) {
    if (amongMembers || role) throw fault("workspaceId", "Required to notify members of a workspace");
    for (let i = 0; i < named.length; i += PAGE) yield named.slice(i, i + PAGE);
    return;
  }
  for (let i = 0; i < named.length; i += PAGE) {
    const userIds = named.slice(i, i + PAGE);
    yield amongMembers ? (await call(ctx, "workspaces.recipients", { workspaceId, userIds })).items : userIds;
  }
  if (!role) return;
  const told = new Set(named);
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next } = await call(ctx, "workspaces.recipients", { workspaceId, role, cursor });
    yield items.filter(userId => !told.has(userId));
    if (next === null) return;
    cursor = next;
  }
}
