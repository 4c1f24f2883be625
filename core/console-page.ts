const OF_SPACE = /^\/v1\/workspaces\/([\w-]+)\/spaces\/([\w-]+)\/(executions|workflows)\/([\w-]+)$/;
const CREDENTIAL = /^\/v1\/workspaces\/([\w-]+)\/credentials\/[\w-]+$/;
const INVITES = /^\/v1\/workspaces\/([\w-]+)\/invites$/;
/** The pages to which the link of a workflow may lead. */
const PAGE = /^\/(w|me|a)\//;

/**
 * The page of the console that shows the subject of a notification, derived from the API path in its link. A question
 * leads to the inbox, with the question open. Undefined if there is no such page.
 */
export function consolePageOf({ type, link }: { type: string; link?: string | null }): string | undefined {
  if (!link) return undefined;
  const [, w, s, kind, id] = OF_SPACE.exec(link) ?? [];
  if (kind === "workflows") return `/w/${w}/s/${s}/f/${id}`;
  if (kind === "executions")
    return type === "approval_needed" ? `/w/${w}/approvals?run=${id}` : `/w/${w}/s/${s}/runs/${id}`;
  const credential = CREDENTIAL.exec(link);
  if (credential) return `/w/${credential[1]}/settings/credentials`;
  const invites = INVITES.exec(link);
  if (invites) return `/w/${invites[1]}/settings/members`;
  return PAGE.test(link) ? link : undefined;
}
