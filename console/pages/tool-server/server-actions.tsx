import { useNavigate } from "@tanstack/react-router";
import { Ellipsis, RefreshCw } from "lucide-react";
import { useState } from "react";
import { type Source, useRemoveSource, useSyncSource } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { Confirm } from "../../shell/confirm.tsx";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { UsersAtRisk } from "./used-by.tsx";

/** The actions of editors for a server: sync its tools, change it, delete it. */
export function ServerActions({ server }: { server: Source }) {
  const { id: workspaceId, slug: w, role } = useWorkspace();
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"edit" | "remove">();
  const sync = useSyncSource(workspaceId, server.kind);
  const remove = useRemoveSource(workspaceId, server.kind);
  const close = () => setAsked(undefined);
  if (!includesRole(role, "editor")) return null;
  const synced = ({ status, toolsSynced }: { status: string; toolsSynced: number }) =>
    status === "connected" ? toast.done(words.synced(toolsSynced)) : toast.failed(words.syncFailed);
  const removed = () => {
    toast.done(words.removed(server.name));
    void navigate({ to: "/w/$w/tools", params: { w } });
  };
  return (
    <>
      <Button
        icon={<RefreshCw size={14} aria-hidden />}
        busy={sync.isPending}
        onClick={() => sync.mutate(server.id, { onSuccess: synced })}
      >
        {words.sync}
      </Button>
      <Menu
        align="end"
        trigger={
          <IconButton label={words.more(server.name)} tone="plain">
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => setAsked("edit")}>{words.edit}</MenuItem>
        <MenuSeparator />
        <MenuItem danger onSelect={() => setAsked("remove")}>
          {words.remove}
        </MenuItem>
      </Menu>
      {asked === "edit" ? <EditDialog source={server} onClose={close} /> : null}
      <Confirm
        open={asked === "remove"}
        onClose={close}
        title={words.removeTitle(server.name)}
        confirm={words.remove}
        onConfirm={() => remove.mutateAsync(server.id, { onSuccess: removed })}
      >
        {asked === "remove" ? <UsersAtRisk source={server} /> : null}
        <p>{server.kind === "api" ? words.api.removeDetail : words.removeDetail}</p>
      </Confirm>
    </>
  );
}
