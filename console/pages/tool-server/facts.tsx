import { type Source, useOpenToAgents } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Card } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Time } from "../../ui/time.tsx";
import { ServerStatus } from "../tools/server-status.tsx";
import styles from "./server.module.css";

const When = ({ at }: { at: string | null }) => (at === null ? words.facts.never : <Time at={at} />);

/** Whether a server answers, when its tools were synced, and whether agents may use them. */
export function Facts({ server }: { server: Source }) {
  const { id: workspaceId, role } = useWorkspace();
  const open = useOpenToAgents(workspaceId, server.kind);
  const { id, kind, status, agents, lastCheckedAt, lastSyncedAt, nextSyncAt, serverInfo, protocolVersion } = server;
  const mayEdit = includesRole(role, "editor");
  return (
    <Card>
      <dl className={styles.facts}>
        <div>
          <dt>{words.facts.state}</dt>
          <dd>
            <ServerStatus status={status} kind={kind} />
          </dd>
        </div>
        <div>
          <dt>{words.facts.checked}</dt>
          <dd>
            <When at={lastCheckedAt} />
          </dd>
        </div>
        <div>
          <dt>{words.facts.synced}</dt>
          <dd>
            <When at={lastSyncedAt} />
          </dd>
        </div>
        {nextSyncAt === null && kind === "api" ? null : (
          <div>
            <dt>{words.facts.next}</dt>
            <dd>
              <When at={nextSyncAt} />
            </dd>
          </div>
        )}
        {serverInfo ? (
          <div>
            <dt>{kind === "api" ? words.facts.api : words.facts.server}</dt>
            <dd>
              {serverInfo.name} {serverInfo.version}
            </dd>
          </div>
        ) : null}
        {protocolVersion ? (
          <div>
            <dt>{kind === "api" ? words.facts.specification : words.facts.protocol}</dt>
            <dd>{protocolVersion}</dd>
          </div>
        ) : null}
      </dl>
      <div className={styles.agents}>
        <Switch
          label={words.agents}
          checked={open.isPending ? open.variables.agents : agents}
          disabled={!mayEdit}
          title={mayEdit ? undefined : m.needsRole(m.role.editor)}
          onChange={next => open.mutate({ id, agents: next })}
        />
        <div>
          <p aria-hidden>{words.agents}</p>
          <p className={styles.hint}>{kind === "api" ? words.api.agentsHint : words.agentsHint}</p>
        </div>
      </div>
    </Card>
  );
}
