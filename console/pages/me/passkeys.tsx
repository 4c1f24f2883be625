import { useQuery } from "@tanstack/react-query";
import { Fingerprint } from "lucide-react";
import { type SyntheticEvent, useState } from "react";
import type { Passkey } from "../../../sdk/definition.ts";
import {
  isNotAllowed,
  knowsPasskeys,
  passkeysQuery,
  useMakePasskey,
  useRemovePasskey,
  useRenamePasskey,
} from "../../data/passkeys.ts";
import { codeOf, faultAt, sentencesOf } from "../../data/problem.ts";
import { useMe } from "../../data/session.ts";
import { installationQuery } from "../../data/workspaces.ts";
import { account } from "../../messages/en-account.ts";
import { passkeys as words } from "../../messages/en-passkeys.ts";
import { m } from "../../messages/index.ts";
import { QueryList } from "../../shell/query-list.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Empty, Notice } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { FactorCodes } from "./factor-codes.tsx";
import factors from "./factors.module.css";
import rows from "../../ui/rows.module.css";
import { OwnPassword } from "./own-password.tsx";

type Act = { kind: "add" } | { kind: "rename" | "remove"; passkey: Passkey };

function messageOf(error: unknown): string {
  if (isNotAllowed(error)) return words.notUsed;
  const code = codeOf(error);
  if (code === "last_way_in") return account.me.lastWay;
  if (code === "sign_in_again") return account.factors.recent;
  return sentencesOf(error);
}

/** Creates a passkey. The first one also creates recovery codes, which the dialog shows. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const { hasPassword } = useMe();
  const [name, setName] = useState(words.usual);
  const [password, setPassword] = useState("");
  const make = useMakePasskey();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const made = ({ recoveryCodes }: { recoveryCodes: string[] | null }) => {
      toast.done(words.added);
      if (!recoveryCodes) onClose();
    };
    make.mutate({ name: name.trim(), password: hasPassword ? password : undefined }, { onSuccess: made });
  };
  const fault = faultAt(make.error, "/password");
  const codes = make.data?.recoveryCodes;
  return (
    <Dialog open onClose={onClose} title={words.add}>
      {codes ? (
        <div className={factors.step}>
          <FactorCodes codes={codes} />
          <DialogFooter>
            <Button tone="primary" onClick={onClose}>
              {account.factors.kept}
            </Button>
          </DialogFooter>
        </div>
      ) : (
        <form className={factors.step} onSubmit={submit}>
          {make.error && !fault ? <Notice tone="bad">{messageOf(make.error)}</Notice> : null}
          <p>{words.demands}</p>
          <TextField
            label={words.name}
            hint={words.nameHint}
            required
            maxLength={200}
            value={name}
            onChange={event => setName(event.target.value)}
          />
          <OwnPassword value={password} onChange={setPassword} error={fault} />
          <DialogFooter>
            <Button onClick={onClose}>{m.cancel}</Button>
            <Button type="submit" tone="primary" busy={make.isPending}>
              {words.make}
            </Button>
          </DialogFooter>
        </form>
      )}
    </Dialog>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [name, setName] = useState(passkey.name);
  const rename = useRenamePasskey();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const renamed = () => {
      toast.done(words.renamed);
      onClose();
    };
    rename.mutate({ id: passkey.id, name: name.trim() }, { onSuccess: renamed });
  };
  return (
    <Dialog open onClose={onClose} title={words.renameOf(passkey.name)}>
      <form className={factors.step} onSubmit={submit}>
        {rename.error ? <Notice tone="bad">{messageOf(rename.error)}</Notice> : null}
        <TextField
          label={words.name}
          required
          maxLength={200}
          value={name}
          onChange={event => setName(event.target.value)}
        />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone="primary" busy={rename.isPending}>
            {m.save}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function RemoveDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { hasPassword } = useMe();
  const [password, setPassword] = useState("");
  const remove = useRemovePasskey();
  const { id, name } = passkey;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const removed = () => {
      toast.done(words.removed(name));
      onClose();
    };
    remove.mutate({ id, password: hasPassword ? password : undefined }, { onSuccess: removed });
  };
  const fault = faultAt(remove.error, "/password");
  return (
    <Dialog open onClose={onClose} title={words.removeTitle(name)}>
      <form className={factors.step} onSubmit={submit}>
        {remove.error && !fault ? <Notice tone="bad">{messageOf(remove.error)}</Notice> : null}
        <p>{words.removeLead}</p>
        <OwnPassword value={password} onChange={setPassword} error={fault} />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone="danger" busy={remove.isPending}>
            {words.remove}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Row({ passkey, onAct }: { passkey: Passkey; onAct: (act: Act) => void }) {
  const { name, synced, createdAt, usedAt } = passkey;
  return (
    <li className={rows.row}>
      <Fingerprint size={16} aria-hidden />
      <div className={rows.text}>
        <span className={rows.name}>{name}</span>
        <span className={rows.detail}>
          {words.made} <Time at={createdAt} /> ·{" "}
          {usedAt === null ? (
            words.neverUsed
          ) : (
            <>
              {words.used} <Time at={usedAt} />
            </>
          )}
          {synced ? <> · {words.synced}</> : null}
        </span>
      </div>
      <Button size="small" aria-label={words.renameOf(name)} onClick={() => onAct({ kind: "rename", passkey })}>
        {words.rename}
      </Button>
      <Button size="small" aria-label={words.removeOf(name)} onClick={() => onAct({ kind: "remove", passkey })}>
        {words.remove}
      </Button>
    </li>
  );
}

/** The passkeys of the user. Shown if the browser supports them. */
export function PasskeysCard() {
  const { data: installation } = useQuery(installationQuery);
  const query = useQuery(passkeysQuery);
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  const mayAdd = installation?.passkeys === true && knowsPasskeys();
  if (!mayAdd && (query.data ?? []).length === 0) return null;
  return (
    <Card
      flush
      title={words.title}
      lead={words.lead}
      aside={mayAdd ? <Button onClick={() => setAct({ kind: "add" })}>{words.add}</Button> : undefined}
    >
      <QueryList small rows={1} query={query} empty={<Empty small title={words.empty} />}>
        {passkey => <Row key={passkey.id} passkey={passkey} onAct={setAct} />}
      </QueryList>
      {act?.kind === "add" ? <AddDialog onClose={close} /> : null}
      {act?.kind === "rename" ? <RenameDialog passkey={act.passkey} onClose={close} /> : null}
      {act?.kind === "remove" ? <RemoveDialog passkey={act.passkey} onClose={close} /> : null}
    </Card>
  );
}
