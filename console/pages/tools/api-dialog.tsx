import { type ChangeEvent, type SyntheticEvent, useState } from "react";
import { useSigningCredentials } from "../../data/credentials.ts";
import { faultAt, faultsIn, problemOf } from "../../data/problem.ts";
import { type Api, type ApiGiven, useSaveApi } from "../../data/tools.ts";
import { words } from "../../messages/en-tools.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField } from "../../ui/check-field.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import forms from "../../ui/form.module.css";
import { Select } from "../../ui/select.tsx";
import { ProblemNotice } from "../../ui/states.tsx";

const NONE = "";
const SHOWN: ReadonlySet<string> = new Set(["/name", "/url", "/baseUrl"]);

interface ApiDialogProps {
  /** The API to change. Undefined for a new one. */
  api?: Api;
  onSaved: (api: Api) => void;
  onClose: () => void;
}

/** Registers an API by its OpenAPI document, or changes one. */
export function ApiDialog({ api, onSaved, onClose }: ApiDialogProps) {
  const { id: workspaceId } = useWorkspace();
  const save = useSaveApi(workspaceId, api?.id);
  const [name, setName] = useState(api?.name ?? "");
  const [url, setUrl] = useState(api?.url ?? "");
  const [file, setFile] = useState<{ name: string; text: string }>();
  const [baseUrl, setBaseUrl] = useState(api?.baseUrl ?? "");
  const [agents, setAgents] = useState(api?.agents ?? false);
  const [credentialId, setCredentialId] = useState(api?.credentialId ?? NONE);
  const [bySchemes, setBySchemes] = useState(api?.credentials ?? {});
  const signing = useSigningCredentials(workspaceId);
  const optionsOf = (fits: (type: string) => boolean) => [
    { value: NONE, label: words.api.none },
    ...signing.filter(({ type }) => fits(type)).map(one => ({ value: one.id, label: one.name })),
  ];
  const { error } = save;
  const unplaced = error && !faultsIn(error).some(({ path }) => SHOWN.has(path));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const document: Partial<ApiGiven> = file ? { document: file.text } : url !== (api?.url ?? "") ? { url } : {};
    const credentials = Object.fromEntries(Object.entries(bySchemes).filter(([, id]) => id !== NONE));
    const signs = { credentialId: credentialId === NONE ? null : credentialId, credentials };
    const given = { name, agents, baseUrl: baseUrl === "" ? null : baseUrl, ...signs, ...document } as ApiGiven;
    save.mutate(given, { onSuccess: onSaved });
  };
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = event.target.files?.[0];
    setFile(chosen && { name: chosen.name, text: await chosen.text() });
    if (chosen && name === "") setName(chosen.name.replace(/\.\w+$/, "").slice(0, 100));
  };
  return (
    <Dialog open onClose={onClose} title={api ? words.editTitle(api.name) : words.api.addTitle}>
      <form className={forms.form} onSubmit={submit}>
        {unplaced ? <ProblemNotice problem={problemOf(error)} /> : null}
        <TextField
          label={words.api.url}
          hint={words.api.urlHint}
          required={!api && !file}
          disabled={file !== undefined}
          type="url"
          maxLength={2_048}
          autoComplete="off"
          spellCheck={false}
          value={file ? "" : url}
          error={faultAt(error, "/url")}
          onChange={event => setUrl(event.target.value)}
        />
        <TextField
          label={words.api.file}
          hint={words.api.fileHint}
          type="file"
          accept=".json,.yaml,.yml,application/json,application/yaml"
          onChange={event => void choose(event)}
        />
        <TextField
          label={words.name}
          hint={words.api.nameHint}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          error={faultAt(error, "/name")}
          onChange={event => setName(event.target.value)}
        />
        {api?.securitySchemes.map(({ name: scheme, description, credentialTypes }) => (
          <Select
            key={scheme}
            label={`${scheme}: ${description}`}
            value={bySchemes[scheme] ?? NONE}
            options={optionsOf(type => credentialTypes.includes(type))}
            onChange={id => setBySchemes({ ...bySchemes, [scheme]: id })}
          />
        ))}
        <Select
          label={words.api.credential}
          hint={words.api.credentialHint}
          value={credentialId}
          options={optionsOf(() => true)}
          onChange={setCredentialId}
        />
        <TextField
          label={words.api.baseUrl}
          hint={words.api.baseUrlHint}
          type="url"
          maxLength={2_048}
          autoComplete="off"
          spellCheck={false}
          value={baseUrl}
          error={faultAt(error, "/baseUrl")}
          onChange={event => setBaseUrl(event.target.value)}
        />
        <CheckField label={words.agents} hint={words.api.agentsHint} checked={agents} onChange={setAgents} />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" busy={save.isPending}>
            {api ? words.save : words.api.add}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
