import { useQuery } from "@tanstack/react-query";
import { type OperatorStatus, operatorStatusQuery, type Readiness, readinessQuery } from "../../data/operator.ts";
import { problemOf } from "../../data/problem.ts";
import { m } from "../../messages/index.ts";
import { operator as words } from "../../messages/en-operator.ts";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Failure, Notice } from "../../ui/states.tsx";
import rows from "../../ui/rows.module.css";
import { Configuration } from "./configuration.tsx";
import { Storage, Watched } from "./numbers.tsx";
import { HealthMark, type HealthState } from "./health-mark.tsx";
import styles from "./operator.module.css";

/** Nodes of earlier versions do not report versions. */
const NO_VERSIONS = { store: null, nats: null, search: null };

interface HealthProps {
  readiness: Readiness;
  versions: OperatorStatus["versions"];
}

function Health({ readiness: { status, dependencies }, versions = NO_VERSIONS }: HealthProps) {
  const { services, ...parts } = dependencies;
  const down = Object.keys(services).filter(name => services[name] !== "ok");
  const named = Object.entries(parts) as [keyof typeof parts, HealthState][];
  return (
    <>
      {status === "ok" ? null : (
        <div className={styles.inset}>
          <Notice tone={status === "down" ? "bad" : "warn"}>{words.whole[status]}</Notice>
        </div>
      )}
      <dl className={styles.facts}>
        {named.map(([name, state]) => (
          <div key={name}>
            <dt>{words.parts[name]}</dt>
            <dd>
              <HealthMark state={state} />
              {name === "files" || versions[name] === null ? null : (
                <span className={styles.quiet}>{words.partVersion(name, versions[name])}</span>
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>{words.parts.services}</dt>
          <dd>
            <HealthMark
              state={down.length === 0 ? "ok" : "down"}
              word={down.length === 0 ? words.allServices(Object.keys(services).length) : words.down(down.join(", "))}
            />
          </dd>
        </div>
      </dl>
    </>
  );
}

function Queue({ queue }: { queue: OperatorStatus["queue"] }) {
  if (queue === null) return <p className={styles.quietText}>{words.queueUnknown}</p>;
  return (
    <>
      {queue.workers === 0 ? <Notice tone="bad">{words.noWorkers}</Notice> : null}
      <dl className={styles.numbers}>
        {Object.entries(words.depth).map(([name, [label, detail]]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd className={styles.number}>{m.number(queue[name as keyof typeof queue])}</dd>
            <dd className={styles.quiet}>{detail}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Nodes({ nodes }: Pick<OperatorStatus, "nodes">) {
  return (
    <ul>
      {nodes.map(({ id, available, version, services, worker }) => (
        <li key={id} className={rows.row} data-off={available ? undefined : ""}>
          <div className={rows.text}>
            <span className={rows.name}>{id}</span>
            <span className={rows.detail} title={services.join(", ")}>
              {words.runsVersion(version)} · {words.serves(services.length)}
              {worker ? ` · ${words.holds(worker.held, worker.capacity)}` : null}
            </span>
          </div>
          <HealthMark state={available ? "ok" : "down"} word={available ? words.node.on : words.node.off} />
        </li>
      ))}
    </ul>
  );
}

/** Health, queue and nodes. The last data stays visible if a request fails, because that is when operators need it. */
export function StatusSection() {
  const health = useQuery(readinessQuery);
  const status = useQuery(operatorStatusQuery);
  const { data } = status;
  const failed = status.error ? (
    <Failure small problem={problemOf(status.error)} onRetry={() => void status.refetch()} />
  ) : (
    <SkeletonRows rows={3} />
  );
  return (
    <>
      <Card flush title={words.health} lead={words.healthLead}>
        {health.data ? (
          <Health readiness={health.data} versions={data?.versions} />
        ) : health.error ? (
          <Failure small problem={problemOf(health.error)} onRetry={() => void health.refetch()} />
        ) : (
          <SkeletonRows rows={3} />
        )}
      </Card>
      <Card flush={!data} title={words.queue} lead={words.queueLead}>
        {data ? <Queue queue={data.queue} /> : failed}
      </Card>
      {data ? (
        <>
          {data.watched ? <Watched watched={data.watched} readAt={status.dataUpdatedAt} /> : null}
          <Card
            flush
            title={words.nodes}
            lead={words.nodesLead(new Set(data.nodes.map(({ version }) => version)).size)}
          >
            <Nodes nodes={data.nodes} />
          </Card>
          {data.storage ? <Storage storage={data.storage} /> : null}
          <Card title={words.counts}>
            <p>
              {words.accounts(data.users.total, data.users.disabled)} · {words.workspaces(data.workspaces)}
            </p>
          </Card>
          <Configuration configuration={data.configuration} />
        </>
      ) : null}
    </>
  );
}
