import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { ChevronRight, Plus, Webhook as WebhookIcon } from "lucide-react";
import { useState } from "react";
import type { Webhook } from "../../../sdk/definition.ts";
import { useChangeWebhook, webhooksQuery } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Card, Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Time } from "../../ui/time.tsx";
import { OfWorkflow } from "../schedules/of-workflow.tsx";
import { NewWebhookDialog } from "./new-webhook-dialog.tsx";
import { senderOf } from "./senders.ts";
import { WebhookDialog } from "./webhook-dialog.tsx";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import { cx } from "../../ui/cx.ts";
import rows from "../../ui/rows.module.css";
import styles from "./webhooks.module.css";

function Row({ webhook, onOpen }: { webhook: Webhook; onOpen: () => void }) {
  const { id: workspaceId, role } = useWorkspace();
  const change = useChangeWebhook(workspaceId);
  const { name, workflowName, enabled, lastTriggeredAt, auth } = webhook;
  const may = includesRole(role, "editor");
  const sender = senderOf(auth);
  return (
    <li className={cx(rows.row, styles.row)} data-off={!enabled || undefined}>
      <Switch
        label={words.webhooks.enabled(name)}
        checked={enabled}
        disabled={!may}
        title={may ? undefined : m.needsRole(m.role.editor)}
        onChange={next => change.mutate({ at: webhook, enabled: next })}
      />
      <div className={cx(rows.text, styles.what)}>
        <button type="button" className={styles.open} aria-label={words.webhooks.open(name)} onClick={onOpen}>
          {name}
        </button>
        <span className={rows.detail}>
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
  const { id } = useWorkspace();
  const { workflow } = useSearch({ from: "/authed/w/$w/webhooks" });
  const query = useQuery({
    ...webhooksQuery(id),
    select: all => all.filter(one => workflow === undefined || one.workflowId === workflow),
  });
  const [makes, setMakes] = useState(false);
  const [opened, setOpened] = useState<string>();
  const make = (
    <RoleButton least="editor" tone="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setMakes(true)}>
      {words.webhooks.make}
    </RoleButton>
  );
  const empty = (
    <Empty icon={<WebhookIcon size={20} aria-hidden />} title={words.webhooks.empty} action={make}>
      {words.webhooks.emptyDetail}
    </Empty>
  );
  return (
    <Page title={words.webhooks.title} lead={words.webhooks.lead} actions={query.data?.length === 0 ? null : make}>
      {workflow === undefined ? null : <OfWorkflow workflow={workflow} list="webhooks" />}
      <Card flush>
        <QueryList query={query} empty={empty}>
          {webhook => <Row key={webhook.id} webhook={webhook} onOpen={() => setOpened(webhook.id)} />}
        </QueryList>
      </Card>
      <NewWebhookDialog open={makes} workflow={workflow} onClose={() => setMakes(false)} />
      <WebhookDialog webhook={query.data?.find(one => one.id === opened)} onClose={() => setOpened(undefined)} />
    </Page>
  );
}
