import { type SyntheticEvent, useMemo, useRef, useState } from "react";
import {
  createCredential,
  type Credential,
  type CredentialType,
  type NewCredential,
  replaceCredential,
} from "../data/credentials.ts";
import { isRecord } from "../data/json.ts";
import { faultAt, faultsIn, problemOf } from "../data/problem.ts";
import { faultsOfService } from "../forms/check.ts";
import { type FieldModel, fieldOf } from "../forms/schema.ts";
import { focusFault, SchemaForm } from "../forms/schema-form.tsx";
import { initialOf } from "../forms/values.ts";
import { words } from "../messages/en-inspector.ts";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { ProblemNotice } from "../ui/states.tsx";
import { Authorize } from "./authorize.tsx";
import styles from "./credentials.module.css";
import { NamedValues } from "./named-values.tsx";

interface CredentialDialogProps {
  workspaceId: string;
  /** The types that the user can choose. */
  types: readonly CredentialType[];
  /** The hosts that the field starts with. */
  hosts: readonly string[];
  /** An existing credential. The dialog replaces its values, or connects it if it is not connected. */
  credential?: Credential | undefined;
  /** What to do with `credential`. By default whatever it lacks. */
  ask?: "connect" | "values";
  onDone: (credential: Credential) => void;
  onClose: () => void;
}

/** A field that allows fewer characters than this has one line. Certificates exceed it and get several. */
const LINES_FROM = 20_000;

function oneLine(field: FieldModel): FieldModel {
  if (field.kind === "object")
    return { ...field, properties: field.properties.map(part => ({ ...part, field: oneLine(part.field) })) };
  const isLong = field.kind === "text" && (field.maxLength ?? 0) >= LINES_FROM;
  return field.kind === "text" && field.input === "multiline" && !isLong ? { ...field, input: "text" } : field;
}

/** The fields of a credential's data. */
function DataFields({
  type,
  value,
  error,
  onChange,
}: {
  type: CredentialType;
  value: unknown;
  error: unknown;
  onChange: (value: unknown) => void;
}) {
  const field = useMemo(() => oneLine(fieldOf(type.dataSchema)), [type]);
  const faults = faultsOfService(faultsIn(error), "/data");
  if (!isRecord(type.dataSchema.properties)) {
    return <NamedValues onChange={onChange} faultOf={name => faults.get(`/${name}`) ?? faults.get("")} />;
  }
  return <SchemaForm field={field} value={value} onChange={onChange} faults={faults} />;
}

const hostList = (text: string) => text.split(/[\s,]+/).filter(host => host !== "");

/**
 * Creates a credential, or replaces the values of one. If the credential needs authorization, the user continues with
 * that.
 */
export function CredentialDialog(props: CredentialDialogProps) {
  const { workspaceId, types, hosts, credential, ask, onDone, onClose } = props;
  const lacksPerson = credential?.type === "oauth2_code" && credential.status !== "ready";
  const connects = ask === undefined ? lacksPerson : ask === "connect";
  const [made, setMade] = useState(connects ? credential : undefined);
  const [typeName, setTypeName] = useState(credential?.type ?? types[0]?.type ?? "");
  const [name, setName] = useState(credential?.name ?? "");
  const [hostText, setHostText] = useState((credential?.hosts ?? hosts).join(" "));
  const type = types.find(one => one.type === typeName);
  const initial = (one: CredentialType | undefined) => (one ? initialOf(fieldOf(one.dataSchema)) : {});
  const [data, setData] = useState<unknown>(() => initial(type));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!type) return;
    setBusy(true);
    setError(undefined);
    const given: NewCredential = {
      name: name.trim(),
      type: type.type,
      ...(type.hosts === "given" && { hosts: hostList(hostText) }),
      data: isRecord(data) ? { ...data } : {},
    };
    try {
      const saved = credential
        ? await replaceCredential(workspaceId, credential.id, given)
        : await createCredential(workspaceId, given);
      onDone(saved);
      if (saved.status === "needs_authorization") setMade(saved);
      else onClose();
    } catch (thrown) {
      setError(thrown);
      requestAnimationFrame(() => focusFault(form.current));
    } finally {
      setBusy(false);
    }
  };
  const isTaken = error !== undefined && faultsIn(error).length === 0;
  const title = credential ? words.credential.editTitle(credential.name) : words.credential.createTitle;
  if (made) {
    return (
      <Dialog open onClose={onClose} title={made.name}>
        <Authorize
          workspaceId={workspaceId}
          credential={made}
          onDone={now => {
            onDone(now);
            onClose();
          }}
        />
      </Dialog>
    );
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description={words.credential.lead}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" form="credential" busy={busy}>
            {credential ? words.credential.replace : words.credential.save}
          </Button>
        </>
      }
    >
      <form id="credential" ref={form} className={styles.form} noValidate onSubmit={event => void submit(event)}>
        {isTaken ? <ProblemNotice problem={problemOf(error)} /> : null}
        {credential ? null : (
          <Select
            label={words.credential.type}
            value={typeName}
            options={types.map(one => ({ value: one.type, label: one.summary }))}
            onChange={next => {
              setTypeName(next);
              setData(initial(types.find(one => one.type === next)));
              setError(undefined);
            }}
          />
        )}
        <TextField
          label={words.credential.name}
          hint={words.credential.nameHint}
          error={error === undefined ? undefined : faultAt(error, "/name")}
          value={name}
          autoComplete="off"
          onChange={event => setName(event.target.value)}
        />
        {type ? <DataFields key={type.type} type={type} value={data} error={error} onChange={setData} /> : null}
        {type?.hosts === "given" ? (
          <TextField
            label={words.credential.hosts}
            hint={words.credential.hostsHint}
            error={
              error === undefined ? undefined : faultsIn(error).find(({ path }) => path.startsWith("/hosts"))?.message
            }
            value={hostText}
            autoComplete="off"
            spellCheck={false}
            onChange={event => setHostText(event.target.value)}
          />
        ) : null}
      </form>
    </Dialog>
  );
}
