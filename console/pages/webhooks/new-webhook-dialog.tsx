import { type SyntheticEvent, useState } from "react";
import { faultAt, faultsIn, problemOf } from "../../data/problem.ts";
import { useMakeWebhook } from "../../data/triggers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { m } from "../../messages/index.ts";
import { includesRole, useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogFooter, KeepOpen } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { Notice, ProblemNotice } from "../../ui/states.tsx";
import { useWorkflowChoice } from "../schedules/use-workflow-choice.tsx";
import { type Answer, ANSWERS, authOf, MAKES_SECRET, respondOf, type Sender, SENDERS } from "./senders.ts";
import styles from "./webhooks.module.css";

interface MadeProps {
  url: string;
  secret: string | undefined;
  verifyToken: string | undefined;
  advice: string;
  onClose: () => void;
}

/** What the sender needs: the address, and secrets that are shown only once. */
export function CreatedWebhook({ url, secret, verifyToken, advice, onClose }: MadeProps) {
  const shown = [
    { label: words.webhooks.address, value: url },
    ...(secret === undefined ? [] : [{ label: words.webhooks.theSecret, value: secret }]),
    ...(verifyToken === undefined ? [] : [{ label: words.webhooks.verifyToken, value: verifyToken }]),
  ];
  return (
    <div className={styles.form}>
      <KeepOpen />
      <p>{advice}</p>
      {shown.map(({ label, value }) => (
        <div key={label} className={styles.once}>
          <h3>{label}</h3>
          <ShownOnce label={label} value={value} />
        </div>
      ))}
      {shown.length > 1 ? <Notice tone="warn">{words.webhooks.madeLead}</Notice> : null}
      <DialogFooter>
        <Button tone="primary" onClick={onClose}>
          {words.webhooks.stored}
        </Button>
      </DialogFooter>
    </div>
  );
}

interface FormProps {
  /** The workflow that is selected first. */
  workflow: string | undefined;
  onClose: () => void;
}

function Form({ workflow, onClose }: FormProps) {
  const { id, role } = useWorkspace();
  const [tried, setTried] = useState(false);
  const { chosen, field } = useWorkflowChoice(workflow, tried);
  const [name, setName] = useState("");
  const [sender, setSender] = useState<Sender>("header");
  const [secret, setSecret] = useState("");
  const [username, setUsername] = useState("");
  const [answer, setAnswer] = useState<Answer>("accepted");
  const make = useMakeWebhook(id);
  const { error, data } = make;
  // Only admins may create webhooks that accept every sender.
  const senders = SENDERS.filter(one => one !== "none" || includesRole(role, "admin"));
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!chosen) return;
    const auth = authOf(sender, { secret, username });
    make.mutate({
      ...{ spaceId: chosen.spaceId, workflowId: chosen.id, auth, respond: respondOf(answer) },
      // The placeholder shows it.
      name: name.trim() || chosen.name,
    });
  };
  if (data) {
    const url = sender === "path" && data.secret !== undefined ? `${data.url}/${data.secret}` : data.url;
    const shown = sender === "path" ? undefined : data.secret;
    const advice = words.webhooks.advice[sender];
    return <CreatedWebhook url={url} secret={shown} verifyToken={data.verifyToken} advice={advice} onClose={onClose} />;
  }
  const secretFault = faultAt(error, "/auth/secret");
  const others = faultsIn(error).filter(({ path }) => path !== "/auth/secret");
  const detail = others.map(({ message }) => message).join(" ");
  return (
    <form className={styles.form} onSubmit={submit}>
      {error && !secretFault ? <ProblemNotice problem={problemOf(error)} {...(detail && { detail })} /> : null}
      {field}
      <TextField
        label={words.webhooks.name}
        hint={words.webhooks.nameHint}
        maxLength={100}
        placeholder={chosen?.name}
        autoComplete="off"
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <Select
        label={words.webhooks.sender}
        hint={words.webhooks.advice[sender]}
        value={sender}
        options={senders.map(value => ({ value, label: words.webhooks.senders[value] }))}
        onChange={setSender}
      />
      {MAKES_SECRET.has(sender) ? (
        <TextField
          label={words.webhooks.secret}
          hint={words.webhooks.secretHint}
          error={secretFault}
          type="password"
          autoComplete="off"
          value={secret}
          onChange={event => setSecret(event.target.value)}
        />
      ) : null}
      {sender === "basic" ? (
        <TextField
          label={words.webhooks.username}
          required
          autoComplete="off"
          value={username}
          onChange={event => setUsername(event.target.value)}
        />
      ) : null}
      <Select
        label={words.webhooks.answers}
        value={answer}
        options={ANSWERS.map(value => ({ value, label: words.webhooks.answer[value] }))}
        onChange={setAnswer}
      />
      <DialogFooter>
        <Button onClick={onClose}>{m.cancel}</Button>
        <Button type="submit" tone="primary" busy={make.isPending}>
          {words.webhooks.create}
        </Button>
      </DialogFooter>
    </form>
  );
}

export function NewWebhookDialog({ open, ...form }: FormProps & { open: boolean }) {
  return (
    <Dialog open={open} onClose={form.onClose} title={words.webhooks.makeTitle}>
      {open ? <Form {...form} /> : null}
    </Dialog>
  );
}
