import { useQuery } from "@tanstack/react-query";
import { ChevronRight, Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "../../../sdk/definition.ts";
import { problemOf } from "../../data/problem.ts";
import { useChangeWebhook, webhooksQuery } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card, Page } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Time } from "../../ui/time.tsx";
import { NewWebhookDialog } from "./new-webhook-dialog.tsx";
import { senderOf } from "./senders.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import styles from "./webhooks.module.css";

function Row({ webhook, onOpen }: { webhook: Webhook; onOpen: () => void }) {
  const { id: workspaceId, role } = useWorkspace();
  const change = useChangeWebhook(workspaceId);
  const { name, workflowName, enabled, lastTriggeredAt, auth } = webhook;
  const may = includesRole(role, "editor");
  const sender = senderOf(auth);
  return (
    <li className={styles.row} data-off={!enabled || undefined}>
      <Switch
        label={words.webhooks.enabled(name)}
        checked={enabled}
        disabled={!may}
        title={may ? undefined : m.needsRole(m.role.editor)}
        onChange={next => change.mutate({ at: webhook, enabled: next })}
      />
      <div className={styles.what}>
        <button type="button" className={styles.open} aria-label={words.webhooks.open(name)} onClick={onOpen}>
          {name}
        </button>
        <span className={styles.detail}>
          {workflowName} · {sender ? words.webhooks.senders[sender] : auth.type}
        </span>
      </div>
      <span className={styles.last}>
        {lastTriggeredAt === null ? (
          words.webhooks.never
        ) : (
          <>
            {words.webhooks.last} <Time at={lastTriggeredAt} />
          </>
        )}
      </span>
      <ChevronRight size={16} className={styles.chevron} aria-hidden />
    </li>
  );
}

export function WebhooksPage() {
  const { id, role } = useWorkspace();
  const { data, error, refetch } = useQuery(webhooksQuery(id));
  const [makes, setMakes] = useState(false);
  const [opened, setOpened] = useState<string>();
  const may = includesRole(role, "editor");
  return (
    <Page
      title={words.webhooks.title}
      lead={words.webhooks.lead}
      actions={
        <Button
          tone="primary"
          icon={<Plus size={14} aria-hidden />}
          disabled={!may}
          title={may ? undefined : m.needsRole(m.role.editor)}
          onClick={() => setMakes(true)}
        >
          {words.webhooks.make}
        </Button>
      }
    >
      <Card flush>
        {error && !data ? <Failure problem={problemOf(error)} onRetry={() => void refetch()} /> : null}
        {!data && !error ? <SkeletonRows rows={4} /> : null}
        {data?.length === 0 ? (
          <Empty icon={<WebhookIcon size={20} aria-hidden />} title={words.webhooks.empty}>
            {words.webhooks.emptyDetail}
          </Empty>
        ) : null}
        <ul>
          {data?.map(webhook => (
            <Row key={webhook.id} webhook={webhook} onOpen={() => setOpened(webhook.id)} />
          ))}
        </ul>
      </Card>
      <NewWebhookDialog open={makes} onClose={() => setMakes(false)} />
      <WebhookDialog webhook={data?.find(one => one.id === opened)} onClose={() => setOpened(undefined)} />
    </Page>
  );
}
