import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ApiKey } from "../../../sdk/definition.ts";
import { keysQuery, useRevokeKey } from "../../data/settings.ts";
import { useMemberNames } from "../../data/workspaces.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { NeedsAdmin } from "../../shell/admins.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time, useClockText } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import rows from "../../ui/rows.module.css";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
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

/** The restrictions of a key besides its role. */
function narrowed({ scopes, addresses }: ApiKey): string {
  const parts = [
    scopes.length > 0 && words.keys.limited(scopes.length),
    addresses.length > 0 && words.keys.fromAddresses(addresses.length),
  ];
  return parts.flatMap(text => (text === false ? [] : [` · ${text}`])).join("");
}

interface RowProps {
  apiKey: ApiKey;
  maker: string | undefined;
  onRotate: () => void;
  onRevoke: () => void;
}

function Row({ apiKey, maker, onRotate, onRevoke }: RowProps) {
  const { name, role, lastUsedAt, expiresAt, rotatedUntil, scopes, addresses } = apiKey;
  return (
    <li className={rows.row}>
      <KeyRound size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {m.role[role]}
          <span title={[...scopes, ...addresses].join(", ")}>{narrowed(apiKey)}</span>
          {maker ? ` · ${maker}` : ""} ·{" "}
          {lastUsedAt === null ? (
            words.keys.neverUsed
          ) : (
            <>
              {words.keys.used} <Time at={lastUsedAt} />
            </>
          )}{" "}
          · <Expiry expiresAt={expiresAt} />
          {rotatedUntil === null ? null : (
            <>
              {" "}
              · {words.keys.rotated} <Time at={rotatedUntil} />
            </>
          )}
        </span>
      </div>
      <Button size="small" aria-label={words.keys.rotateOf(name)} onClick={onRotate}>
        {words.keys.rotate}
      </Button>
      <Button size="small" aria-label={words.keys.revokeOf(name)} onClick={onRevoke}>
        {words.keys.revoke}
      </Button>
    </li>
  );
}

/** `make` creates a first key. */
function Keys({ make }: { make: ReactNode }) {
  const { id } = useWorkspace();
  const query = useQuery(keysQuery(id));
  const names = useMemberNames(id);
  const [revoking, setRevoking] = useState<ApiKey>();
  const [rotating, setRotating] = useState<ApiKey>();
  const revoke = useRevokeKey(id);
  const empty = (
    <Empty icon={<KeyRound size={20} aria-hidden />} title={words.keys.empty} action={make}>
      {words.keys.emptyDetail}
    </Empty>
  );
  return (
    <>
      <QueryList small rows={3} query={query} empty={empty}>
        {apiKey => (
          <Row
            key={apiKey.id}
            apiKey={apiKey}
            maker={names.get(apiKey.createdBy)}
            onRotate={() => setRotating(apiKey)}
            onRevoke={() => setRevoking(apiKey)}
          />
        )}
      </QueryList>
      <Confirm
        open={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={words.keys.revokeTitle(revoking?.name ?? "")}
        confirm={words.keys.revoke}
        onConfirm={() =>
          revoking &&
          revoke.mutateAsync(revoking.id, { onSuccess: () => toast.done(words.keys.revoked(revoking.name)) })
        }
      >
        {words.keys.revokeDetail}
      </Confirm>
      <RotateDialog apiKey={rotating} onClose={() => setRotating(undefined)} />
    </>
  );
}

export function KeysSection() {
  const { id, role } = useWorkspace();
  const [makes, setMakes] = useState(false);
  const may = includesRole(role, "admin");
  const { data } = useQuery({ ...keysQuery(id), enabled: may });
  const make = (
    <RoleButton least="admin" tone="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setMakes(true)}>
      {words.keys.make}
    </RoleButton>
  );
  return (
    <>
      <Card flush title={words.keys.title} lead={words.keys.lead} aside={data?.length === 0 ? null : make}>
        {may ? <Keys make={make} /> : <NeedsAdmin />}
      </Card>
      <KeyDialog open={makes} onClose={() => setMakes(false)} />
    </>
  );
}
