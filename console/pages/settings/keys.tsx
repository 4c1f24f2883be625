import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import type { ApiKey } from "../../../sdk/definition.ts";
import { problemOf } from "../../data/problem.ts";
import { keysQuery, useRevokeKey } from "../../data/settings.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/dialog.tsx";
import { Card } from "../../ui/page.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { Time, useClockText } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import styles from "./settings.module.css";

function Expiry({ expiresAt }: Pick<ApiKey, "expiresAt">) {
  const isOver = useClockText(now => String(expiresAt !== null && Date.parse(expiresAt) <= now)) === "true";
  if (expiresAt === null) return words.keys.neverExpires;
  if (isOver) return <span className={styles.bad}>{words.keys.expired}</span>;
  return (
    <>
      {words.keys.expires} <Time at={expiresAt} />
    </>
  );
}

function Row({ apiKey, maker, onRevoke }: { apiKey: ApiKey; maker: string | undefined; onRevoke: () => void }) {
  const { name, role, lastUsedAt, expiresAt } = apiKey;
  return (
    <li className={styles.row}>
      <KeyRound size={16} className={styles.icon} aria-hidden />
      <div className={styles.who}>
        <span className={styles.name}>{name}</span>
        <span className={styles.detail}>
          {m.role[role]}
          {maker ? ` · ${maker}` : ""} ·{" "}
          {lastUsedAt === null ? (
            words.keys.neverUsed
          ) : (
            <>
              {words.keys.used} <Time at={lastUsedAt} />
            </>
          )}{" "}
          · <Expiry expiresAt={expiresAt} />
        </span>
      </div>
      <Button size="small" aria-label={words.keys.revokeOf(name)} onClick={onRevoke}>
        {words.keys.revoke}
      </Button>
    </li>
  );
}

function Keys() {
  const { id } = useWorkspace();
  const { data, error, refetch } = useQuery(keysQuery(id));
  const names = useMemberNames(id);
  const [revoking, setRevoking] = useState<ApiKey>();
  const revoke = useRevokeKey(id);
  if (error && !data) return <Failure small problem={problemOf(error)} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={3} />;
  if (data.length === 0) {
    return (
      <Empty icon={<KeyRound size={20} aria-hidden />} title={words.keys.empty}>
        {words.keys.emptyDetail}
      </Empty>
    );
  }
  return (
    <>
      <ul>
        {data.map(apiKey => (
          <Row
            key={apiKey.id}
            apiKey={apiKey}
            maker={names.get(apiKey.createdBy)}
            onRevoke={() => setRevoking(apiKey)}
          />
        ))}
      </ul>
      <Confirm
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={words.keys.revokeTitle(revoking?.name ?? "")}
        confirm={words.keys.revoke}
        busy={revoke.isPending}
        onConfirm={() =>
          revoking &&
          revoke.mutate(revoking.id, {
            onSuccess: () => {
              toast.done(words.keys.revoked(revoking.name));
              setRevoking(undefined);
            },
          })
        }
      >
        {words.keys.revokeDetail}
      </Confirm>
    </>
  );
}

export function KeysSection() {
  const { role } = useWorkspace();
  const [makes, setMakes] = useState(false);
  const may = includesRole(role, "admin");
  return (
    <>
      <Card
        flush
        title={words.keys.title}
        lead={words.keys.lead}
        aside={
          <Button
            tone="primary"
            disabled={!may}
            title={may ? undefined : m.needsRole(m.role.admin)}
            onClick={() => setMakes(true)}
          >
            {words.keys.make}
          </Button>
        }
      >
        {may ? <Keys /> : <Empty small title={m.needsRole(m.role.admin)} />}
      </Card>
      <KeyDialog open={makes} onClose={() => setMakes(false)} />
    </>
  );
}
