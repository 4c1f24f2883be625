import { useQuery } from "@tanstack/react-query";
import { Ellipsis, KeySquare, Plus } from "lucide-react";
import { useState } from "react";
import { CredentialDialog } from "../../credentials/credential-dialog.tsx";
import { TestDialog } from "../../credentials/test-dialog.tsx";
import {
  type Credential,
  credentialsQuery,
  credentialTypesQuery,
  removeCredential,
  usesNow,
} from "../../data/credentials.ts";
import { codeOf } from "../../data/problem.ts";
import { words } from "../../messages/en-inspector.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { QueryList } from "../../shell/query-list.tsx";
import { RoleButton } from "../../shell/role-button.tsx";
import rows from "../../ui/rows.module.css";
import styles from "./settings.module.css";

const texts = words.credential;

/** The open dialog, with its credential. */
type Asked = { what: "new" } | { what: "connect" | "replace" | "test" | "remove"; credential: Credential };

interface RowProps {
  credential: Credential;
  summary: string;
  may: boolean;
  onAsk: (asked: Asked) => void;
}

function Row({ credential, summary, may, onAsk }: RowProps) {
  const { name, hosts, status, lastError, lastUsedAt, usedBy, type } = credential;
  const ask = (what: "connect" | "replace" | "test" | "remove") => onAsk({ what, credential });
  const isReady = status === "ready";
  return (
    <li className={rows.row}>
      <KeySquare size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {summary}
          {hosts.length > 0 ? ` · ${hosts.join(", ")}` : ""}
        </span>
        <span className={rows.detail} title={usedBy.map(one => one.name).join(", ") || undefined}>
          {isReady ? null : (
            <span className={styles.bad} title={lastError ?? undefined}>
              {texts.status[status]} ·{" "}
            </span>
          )}
          {usedBy.length === 0 ? texts.notUsed : texts.workflows(usedBy.length)} ·{" "}
          {lastUsedAt === null ? (
            texts.never.toLowerCase()
          ) : (
            <>
              {texts.lastUsed.toLowerCase()} <Time at={lastUsedAt} />
            </>
          )}
        </span>
      </div>
      {type === "oauth2_code" && !isReady && may ? (
        <Button size="small" tone="primary" onClick={() => ask("connect")}>
          {texts.authorize}
        </Button>
      ) : null}
      <Menu
        align="end"
        trigger={
          <IconButton label={texts.actsOf(name)} size="small" disabled={!may} title={may ? undefined : texts.lacks}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => ask("test")}>{texts.test}</MenuItem>
        <MenuItem onSelect={() => ask("replace")}>{texts.replace}</MenuItem>
        <MenuItem danger onSelect={() => ask("remove")}>
          {texts.remove}
        </MenuItem>
      </Menu>
    </li>
  );
}

/** Deletes a credential. If something uses it, a second dialog names what would fail. */
function RemoveDialog({ credential, onClose }: { credential: Credential; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const [uses, setUses] = useState<Credential["usedBy"]>();
  const remove = async () => {
    try {
      await removeCredential(workspaceId, credential.id, uses !== undefined);
    } catch (error) {
      if (codeOf(error) !== "credential_in_use") throw error;
      setUses(await usesNow(workspaceId, credential.id).catch(() => credential.usedBy));
      return false;
    }
    toast.done(texts.removed);
    return true;
  };
  return (
    <Confirm
      open
      onClose={onClose}
      title={texts.removeTitle(credential.name)}
      confirm={uses ? texts.removeAnyway : texts.remove}
      onConfirm={remove}
    >
      {uses ? (
        <>
          <p role="alert">{texts.inUse}</p>
          <ul className={styles.uses}>
            {uses.map(({ kind, id, name }) => (
              <li key={`${kind} ${id}`}>
                <span>{texts.usedKind[kind]}</span> {name}
              </li>
            ))}
          </ul>
        </>
      ) : null}
      <p>{texts.removeDetail}</p>
    </Confirm>
  );
}

/** The credentials of the workspace. Users can create, test, connect, replace and delete them. */
export function CredentialsSection() {
  const { id: workspaceId, role } = useWorkspace();
  const may = includesRole(role, "editor");
  const { data: types = [] } = useQuery(credentialTypesQuery);
  const query = useQuery(credentialsQuery(workspaceId));
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const summaryOf = (type: string) => types.find(one => one.type === type)?.summary ?? type;
  const make = (
    <RoleButton
      least="editor"
      tone="primary"
      icon={<Plus size={14} aria-hidden />}
      disabled={types.length === 0}
      onClick={() => setAsked({ what: "new" })}
    >
      {texts.new}
    </RoleButton>
  );
  const empty = (
    <Empty icon={<KeySquare size={20} aria-hidden />} title={texts.empty} action={make}>
      {texts.emptyDetail}
    </Empty>
  );
  return (
    <>
      <Card flush title={texts.title} lead={texts.lead} aside={query.data?.length === 0 ? null : make}>
        <QueryList small rows={3} query={query} empty={empty}>
          {one => <Row key={one.id} credential={one} summary={summaryOf(one.type)} may={may} onAsk={setAsked} />}
        </QueryList>
      </Card>
      {asked?.what === "new" || asked?.what === "connect" || asked?.what === "replace" ? (
        <CredentialDialog
          workspaceId={workspaceId}
          types={types}
          hosts={[]}
          credential={asked.what === "new" ? undefined : asked.credential}
          ask={asked.what === "connect" ? "connect" : "values"}
          onDone={() => toast.done(asked.what === "new" ? texts.created : texts.authorized)}
          onClose={close}
        />
      ) : null}
      {asked?.what === "test" ? (
        <TestDialog
          workspaceId={workspaceId}
          credential={asked.credential}
          signs={types.some(({ type, use }) => type === asked.credential.type && use === "calls")}
          onClose={close}
        />
      ) : null}
      {asked?.what === "remove" ? <RemoveDialog credential={asked.credential} onClose={close} /> : null}
    </>
  );
}
