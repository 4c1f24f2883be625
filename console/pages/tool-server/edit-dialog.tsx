import { useQuery } from "@tanstack/react-query";
import { apisQuery, serversQuery, type Source } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { toast } from "../../ui/toast.tsx";
import { ApiDialog } from "../tools/api-dialog.tsx";
import { ServerDialog } from "../tools/server-dialog.tsx";

/** Changes a server or an API. */
export function EditDialog({ source: { kind, id }, onClose }: { source: Source; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const { data: servers } = useQuery({ ...serversQuery(workspaceId), enabled: kind === "server" });
  const { data: apis } = useQuery({ ...apisQuery(workspaceId), enabled: kind === "api" });
  const server = servers?.find(one => one.id === id);
  const api = apis?.find(one => one.id === id);
  const onSaved = () => {
    toast.done(kind === "api" ? words.api.saved : words.saved);
    onClose();
  };
  if (kind === "server" && server) return <ServerDialog server={server} onClose={onClose} onSaved={onSaved} />;
  if (kind === "api" && api) return <ApiDialog api={api} onClose={onClose} onSaved={onSaved} />;
  return null;
}
