import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { Webhook } from "../../../sdk/definition.ts";
import { runPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { deliveriesQuery, useRemoveWebhook, useRotateSecret } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { runTexts } from "../../messages/en-run.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { CreatedWebhook } from "./new-webhook-dialog.tsx";
import { senderOf } from "./senders.ts";
import { TestDelivery } from "./test-delivery.tsx";
import styles from "./webhooks.module.css";

function Deliveries({ webhook }: { webhook: Webhook }) {
  const { id, slug } = useWorkspace();
  const { data, error, refetch } = useQuery(deliveriesQuery(id, webhook));
  if (error && !data) return <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} />;
  if (data.length === 0) return <Empty small title={words.webhooks.noDeliveries} />;
  return (
    <ul className={styles.deliveries}>
      {data.map(({ at, address, method, status, executionId, reason }, n) => (
        <li key={`${at} ${n}`} className={styles.delivery} data-bad={status >= 400 || undefined}>
          <span className={styles.code}>{status}</span>
          <Time at={at} />
          <span className={styles.from}>
            {method} · {address}
          </span>
          {executionId === null ? (
            <span className={styles.reason}>{reason === null ? "" : (words.webhooks.refused[reason] ?? reason)}</span>
          ) : (
            <Link to={runPath(slug, { spaceId: webhook.spaceId, id: executionId })} className={styles.link}>
              {runTexts.run.title}
            </Link>
          )}
        </li>
      ))}
    </ul>
  );
}

const curlOf = ({ url, auth }: Webhook): string =>
  [
    `curl -X POST ${url}${auth.type === "path" ? "/$SECRET" : ""}`,
    ...(auth.type === "header" ? [`-H "${auth.name}: $SECRET"`] : []),
    ...(auth.type === "basic" ? [`-u "${auth.username}:$SECRET"`] : []),
    `-H "content-type: application/json" -d '{}'`,
  ].join(" \\\n  ");

function Details({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, role } = useWorkspace();
  const [removes, setRemoves] = useState(false);
  const rotate = useRotateSecret(id);
  const remove = useRemoveWebhook(id);
  const may = includesRole(role, "editor");
  const { url, auth, name } = webhook;
  if (rotate.data) {
    const { secret, verifyToken } = rotate.data;
    const full = auth.type === "path" && secret !== undefined ? `${url}/${secret}` : url;
    return (
      <CreatedWebhook
        url={full}
        secret={auth.type === "path" ? undefined : secret}
        verifyToken={verifyToken}
        advice={words.webhooks.rotated}
        onClose={onClose}
      />
    );
  }
  return (
    <div className={styles.form}>
      <ShownOnce label={words.webhooks.address} value={url} />
      {auth.type === "hmac" ? null : (
        <section>
          <h3 className={styles.heading}>{words.webhooks.curl}</h3>
          <ShownOnce label={words.webhooks.curl} value={curlOf(webhook)} />
        </section>
      )}
      <section>
        <h3 className={styles.heading}>{words.webhooks.deliveries}</h3>
        <div className={styles.box}>
          <Deliveries webhook={webhook} />
        </div>
        <p className={styles.note}>{words.webhooks.bodiesNotKept}</p>
      </section>
      {may ? <TestDelivery webhook={webhook} /> : null}
      {may ? (
        <div className={styles.ends}>
          {auth.type === "none" || (auth.type === "hmac" && auth.credential !== undefined) ? null : (
            <Button busy={rotate.isPending} onClick={() => rotate.mutate(webhook)}>
              {words.webhooks.rotate}
            </Button>
          )}
          <Button tone="danger" onClick={() => setRemoves(true)}>
            {words.webhooks.remove}
          </Button>
        </div>
      ) : null}
      <Confirm
        open={removes}
        onClose={() => setRemoves(false)}
        title={words.webhooks.removeTitle(name)}
        confirm={words.webhooks.remove}
        onConfirm={() =>
          remove.mutateAsync(webhook, {
            onSuccess: () => {
              toast.done(words.webhooks.removed(name));
              onClose();
            },
          })
        }
      >
        {words.webhooks.removeDetail}
      </Confirm>
    </div>
  );
}

/** A webhook: its address, its last deliveries, and its actions. */
export function WebhookDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }) {
  const sender = webhook && senderOf(webhook.auth);
  return (
    <Dialog
      wide
      open={webhook !== undefined}
      onClose={onClose}
      title={webhook?.name ?? ""}
      description={sender && words.webhooks.senders[sender]}
    >
      {webhook ? <Details key={webhook.id} webhook={webhook} onClose={onClose} /> : null}
    </Dialog>
  );
}
