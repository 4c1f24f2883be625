import { type SyntheticEvent, useState } from "react";
import { faultAt, faultUnder, problemOf } from "../../data/problem.ts";
import { type Role, useMakeKey } from "../../data/settings.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { Select } from "../../ui/select.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { ScopeChoice } from "./scope-choice.tsx";
import { ShownSecret } from "./shown-secret.tsx";
import styles from "./settings.module.css";

const DAY_MS = 86_400_000;
const DAYS = { never: null, d30: 30, d90: 90, d365: 365 } as const;
type Expiry = keyof typeof DAYS;
const CHOICES = Object.keys(DAYS) as Expiry[];

const momentOf = (expiry: Expiry) => {
  const days = DAYS[expiry];
  return days === null ? null : new Date(Date.now() + days * DAY_MS).toISOString();
};

function Form({ onClose }: { onClose: () => void }) {
  const { id } = useWorkspace();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const [expiry, setExpiry] = useState<Expiry>("d90");
  const [scopes, setScopes] = useState<readonly string[] | null>(null);
  const [addresses, setAddresses] = useState("");
  const [tried, setTried] = useState(false);
  const lacksScope = scopes?.length === 0;
  const make = useMakeKey(id);
  const { error, data } = make;
  const [nameFault, addressFault] = [faultAt(error, "/name"), faultUnder(error, "/addresses")];
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (lacksScope) return;
    const ranges = addresses.split(/[\s,]+/).filter(Boolean);
    make.mutate({ name, role, expiresAt: momentOf(expiry), scopes: [...(scopes ?? [])], addresses: ranges });
  };
  if (data) {
    return <ShownSecret lead={words.keys.madeLead} label={words.keys.made} value={data.key} onClose={onClose} />;
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {error && !nameFault && !addressFault ? <ProblemNotice problem={problemOf(error)} /> : null}
      <TextField
        label={words.keys.name}
        hint={words.keys.nameHint}
        required
        maxLength={100}
        autoComplete="off"
        value={name}
        error={nameFault}
        onChange={event => setName(event.target.value)}
      />
      <RoleChoice value={role} onChange={setRole} />
      <ScopeChoice value={scopes} onChange={setScopes} fault={tried && lacksScope ? words.keys.noScope : undefined} />
      <TextField
        label={words.keys.addresses}
        hint={words.keys.addressesHint}
        autoComplete="off"
        spellCheck={false}
        value={addresses}
        error={addressFault}
        onChange={event => setAddresses(event.target.value)}
      />
      <Select
        label={words.keys.expires}
        value={expiry}
        options={CHOICES.map(value => ({ value, label: words.keys.expiry[value] }))}
        onChange={setExpiry}
      />
      <DialogFooter>
        <Button onClick={onClose}>{m.cancel}</Button>
        <Button type="submit" tone="primary" busy={make.isPending}>
          {words.keys.create}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Creates an API key, whose value is shown only once. */
export function KeyDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={words.keys.makeTitle}>
      {open ? <Form onClose={onClose} /> : null}
    </Dialog>
  );
}
