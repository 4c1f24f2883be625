import { type SyntheticEvent, useState } from "react";
import { useSigningCredentials } from "../../data/credentials.ts";
import { faultAt, faultsIn, problemOf } from "../../data/problem.ts";
import { type McpServer, type ServerGiven, useSaveServer } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField } from "../../ui/check-field.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { PasswordField, TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import { Notice, ProblemNotice } from "../../ui/states.tsx";

type Sign = keyof typeof words.signs;
const SIGNS: readonly Sign[] = ["none", "api_key", "bearer", "oauth", "credential"];

/** The fields of each kind of sign-in that the user types here. */
const SECRETS: Partial<Record<Sign, readonly Secret[]>> = {
  api_key: ["accessToken"],
  bearer: ["accessToken"],
  oauth: ["accessToken", "refreshToken", "clientId", "clientSecret", "tokenUrl", "scope"],
};
type Secret = "accessToken" | "refreshToken" | "clientId" | "clientSecret" | "tokenUrl" | "scope";
const HIDDEN: ReadonlySet<Secret> = new Set(["accessToken", "refreshToken", "clientSecret"]);

interface ServerDialogProps {
  /** The server to change. Undefined for a new one. */
  server?: McpServer;
  onSaved: (server: McpServer) => void;
  onClose: () => void;
}

/** The part of the request that says how calls are signed. */
function signed(sign: Sign, secrets: Partial<Record<Secret, string>>, credentialId: string, isNew: boolean) {
  if (sign === "keep") return {};
  if (sign === "credential") return { authType: "none" as const, credentialId };
  const typed = (SECRETS[sign] ?? []).flatMap(name => (secrets[name] ? [[name, secrets[name]] as const] : []));
  return { authType: sign, ...(!isNew && { credentialId: null }), ...Object.fromEntries(typed) };
}

/** Registers a tool server, or changes one. */
export function ServerDialog({ server, onSaved, onClose }: ServerDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const save = useSaveServer(workspaceId, server?.id);
  const [name, setName] = useState(server?.name ?? "");
  const [url, setUrl] = useState(server?.url ?? "");
  const [sign, setSign] = useState<Sign>(server ? "keep" : "none");
  const [secrets, setSecrets] = useState<Partial<Record<Secret, string>>>({});
  const [chosen, setChosen] = useState("");
  const [agents, setAgents] = useState(server?.agents ?? false);
  const [tried, setTried] = useState(false);
  const credentials = useSigningCredentials(workspaceId);
  const credentialId = chosen || (credentials[0]?.id ?? "");
  const { error } = save;
  const shown = new Set(["/name", "/url", ...(SECRETS[sign] ?? []).map(field => `/${field}`)]);
  const unplaced = error && !faultsIn(error).some(({ path }) => shown.has(path));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (sign === "credential" && !credentialId) return;
    const given: Partial<ServerGiven> = { name, url, agents, ...signed(sign, secrets, credentialId, !server) };
    save.mutate(given, { onSuccess: onSaved });
  };
  const secret = (field: Secret) => {
    const props = {
      label: words[field],
      hint: field === "tokenUrl" ? words.tokenUrlHint : HIDDEN.has(field) ? words.writeOnly : undefined,
      autoComplete: "off",
      spellCheck: false,
      required: field === "accessToken" && sign !== "oauth",
      value: secrets[field] ?? "",
      error: faultAt(error, `/${field}`),
      onChange: (event: { target: { value: string } }) => setSecrets({ ...secrets, [field]: event.target.value }),
    };
    return HIDDEN.has(field) ? <PasswordField key={field} {...props} /> : <TextField key={field} {...props} />;
  };
  return (
    <Dialog open onClose={onClose} title={server ? words.editTitle(server.name) : words.addTitle}>
      <form className={forms.form} onSubmit={submit}>
        {unplaced ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={words.url}
          hint={words.urlHint}
          required
          type="url"
          maxLength={2_048}
          autoComplete="off"
          spellCheck={false}
          value={url}
          error={faultAt(error, "/url")}
          onChange={event => setUrl(event.target.value)}
        />
        <TextField
          label={words.name}
          hint={words.nameHint}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          error={faultAt(error, "/name")}
          onChange={event => setName(event.target.value)}
        />
        <Select
          label={words.sign}
          hint={server ? words.anew : undefined}
          value={sign}
          options={(server ? (["keep", ...SIGNS] as const) : SIGNS).map(value => ({
            value,
            label: words.signs[value],
          }))}
          onChange={setSign}
        />
        {SECRETS[sign]?.map(secret)}
        {sign === "credential" && credentials.length > 0 ? (
          <Select
            label={words.credential}
            value={credentialId}
            options={credentials.map(one => ({ value: one.id, label: one.name }))}
            onChange={setChosen}
          />
        ) : null}
        {sign === "credential" && credentials.length === 0 ? (
          tried ? (
            <Notice tone="bad">{words.noCredential}</Notice>
          ) : (
            <p>{words.noCredential}</p>
          )
        ) : null}
        <CheckField label={words.agents} hint={words.agentsHint} checked={agents} onChange={setAgents} />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" busy={save.isPending}>
            {server ? words.save : words.add}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
