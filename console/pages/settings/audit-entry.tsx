import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import type { AuditEntry } from "../../data/audit.ts";
import { builderPath, runPath } from "../../data/paths.ts";
import { flowsQuery } from "../../data/pickable.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { actionText } from "../../messages/en-audit-actions.ts";
import { kindText, words } from "../../messages/en-audit.ts";
import { fullTime } from "../../messages/time.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Status, type StatusName } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./audit.module.css";

const MARKS: Record<AuditEntry["outcome"], StatusName> = {
  succeeded: "completed",
  failed: "failed",
  denied: "cancelled",
  unknown: "skipped",
};

const whoOf = ({ actor, actorName = words.somebody }: AuditEntry) =>
  actor.kind === "apiKey" ? words.byKey(actorName) : actorName;

/** The name of the workflow or the member that an entry is about. Undefined for other resources, and deleted ones. */
function useNameOf({ resourceType, resourceId }: AuditEntry): string | undefined {
  const { id } = useWorkspace();
  const { data: flows = [] } = useQuery(flowsQuery(id));
  const members = useMemberNames(id);
  if (resourceId === null) return undefined;
  if (resourceType === "member") return members.get(resourceId);
  return resourceType === "workflow" ? flows.find(flow => flow.id === resourceId)?.name : undefined;
}

/** The resource of an entry: a link to its page, if it has one. A page says itself that its resource was deleted. */
function Resource({ entry, name }: { entry: AuditEntry; name: string | undefined }) {
  const { resourceType, resourceId: id, spaceId } = entry;
  const { slug } = useWorkspace();
  const kind = kindText(resourceType);
  if (id === null) return kind;
  const path =
    resourceType === "workflow" && spaceId !== null
      ? builderPath(slug, { spaceId, id })
      : resourceType === "execution" && spaceId !== null
        ? runPath(slug, { spaceId, id })
        : undefined;
  return (
    <>
      {kind}{" "}
      {path === undefined ? (
        (name ?? id)
      ) : (
        <Link to={path} className={styles.link}>
          {name ?? id}
        </Link>
      )}
      {name === undefined ? null : <span className={styles.id}> {id}</span>}
    </>
  );
}

/** An entry of the audit log: one line, and all that is known of it below. */
export function Entry({ entry }: { entry: AuditEntry }) {
  const name = useNameOf(entry);
  const { at, action, outcome, error, spaceId, fields, requestId, address, actor } = entry;
  const facts: [string, ReactNode][] = [
    [words.fact.at, fullTime(at)],
    [words.action, action],
    [words.fact.actor, `${actor.kind} ${actor.id}`],
    [words.fact.resource, <Resource key="resource" entry={entry} name={name} />],
    [words.fact.space, spaceId],
    [words.fact.fields, fields.join(", ") || null],
    [words.fact.error, error],
    [words.fact.address, address],
    [words.fact.request, requestId],
  ];
  return (
    <li>
      <details className={styles.entry}>
        <summary>
          <ChevronRight size={14} className={styles.chevron} aria-hidden />
          <span className={styles.action}>
            {actionText(action)}
            {name === undefined ? null : <span className={styles.name}> {name}</span>}
          </span>
          <span className={styles.who}>
            {whoOf(entry)} · <Time at={at} />
          </span>
          <Status status={MARKS[outcome]}>{words.outcome[outcome]}</Status>
        </summary>
        <dl className={styles.facts}>
          {facts.map(([name, value]) =>
            value === null ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
          )}
        </dl>
      </details>
    </li>
  );
}
