import { type SyntheticEvent, useState } from "react";
import { faultAt, problemOf } from "../../data/problem.ts";
import { type Role, useInvite } from "../../data/settings.ts";
import { settings as words } from "../../messages/en-settings.ts";
import { m } from "../../messages/index.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { ShownSecret } from "./shown-secret.tsx";
import styles from "./settings.module.css";

/** A `mailto:` link that opens an invitation in the user's mail program. */
const mailTo = ({ email, link }: { email: string; link: string }, workspace: string): string =>
  `mailto:${encodeURIComponent(email)}?${new URLSearchParams({
    subject: words.members.mailSubject(workspace),
    body: words.members.mailBody(workspace, link),
  })
    .toString()
    .replaceAll("+", "%20")}`;

function Form({ onClose }: { onClose: () => void }) {
  const { id, name: workspace } = useWorkspace();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("editor");
  const invite = useInvite(id);
  const { error, data } = invite;
  const fault = faultAt(error, "/email");
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    invite.mutate({ email, role });
  };
  if (data) {
    return (
      <ShownSecret
        lead={words.members.invitedLead(data.email)}
        label={words.members.invited}
        value={data.link}
        act={
          <a className={buttonClass({})} href={mailTo(data, workspace)}>
            {words.members.mail}
          </a>
        }
        onClose={onClose}
      />
    );
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {error && !fault ? <ProblemNotice problem={problemOf(error)} /> : null}
      <TextField
        label={words.members.email}
        type="email"
        required
        autoComplete="off"
        value={email}
        error={fault}
        onChange={event => setEmail(event.target.value)}
      />
      <RoleChoice value={role} onChange={setRole} />
      <DialogFooter>
        <Button onClick={onClose}>{m.cancel}</Button>
        <Button type="submit" tone="primary" busy={invite.isPending}>
          {words.members.send}
        </Button>
      </DialogFooter>
    </form>
  );
}

/** Invites a person. The link is shown only once, because the service stores only its hash. */
export function InviteDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} title={words.members.inviteTitle}>
      {open ? <Form onClose={onClose} /> : null}
    </Dialog>
  );
}
