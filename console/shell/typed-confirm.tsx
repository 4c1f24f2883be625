import { type SyntheticEvent, useState } from "react";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import dialog from "../ui/dialog.module.css";
import styles from "../ui/form.module.css";
import { ProblemNotice } from "../ui/states.tsx";
import { type ConfirmedAction, useConfirmed } from "./use-confirmed.ts";

interface TypedConfirmProps extends ConfirmedAction {
  title: string;
  /** What will be deleted. */
  detail: string;
  /** The label that says what to type. */
  label: string;
  /** The text that must be typed. */
  word: string;
  /** The label of the button that confirms, a verb. */
  confirm: string;
}

/** Asks the user to type a name before much is deleted, so that no single click does it. */
export function TypedConfirm(props: TypedConfirmProps) {
  const { title, detail, label, word } = props;
  const { busy, problem, close, confirm } = useConfirmed(true, props);
  const [typed, setTyped] = useState("");
  const isRight = typed.trim() === word;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isRight) confirm();
  };
  return (
    <Dialog open onClose={close} title={title} description={detail}>
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label={label}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        {problem ? <ProblemNotice problem={problem} /> : null}
        <DialogFooter>
          <Button disabled={busy} onClick={close}>
            {m.cancel}
          </Button>
          <Button type="submit" tone="danger" className={dialog.final} busy={busy} disabled={!isRight}>
            {props.confirm}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
