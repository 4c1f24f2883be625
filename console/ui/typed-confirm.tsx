import { type SyntheticEvent, useState } from "react";
import { m } from "../messages/index.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogFooter } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import styles from "./form.module.css";

interface TypedConfirmProps {
  title: string;
  /** What will be deleted. */
  detail: string;
  /** The label that says what to type. */
  label: string;
  /** The text that must be typed. */
  word: string;
  /** The label of the button that confirms, a verb. */
  confirm: string;
  busy: boolean;
  /** Why the last try failed. */
  error?: string | undefined;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks the user to type a name before much is deleted, so that no single click does it. */
export function TypedConfirm(props: TypedConfirmProps) {
  const { title, detail, label, word, confirm, busy, error, onConfirm, onClose } = props;
  const [typed, setTyped] = useState("");
  const isRight = typed.trim() === word;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isRight) onConfirm();
  };
  return (
    <Dialog open onClose={onClose} title={title} description={detail}>
      <form className={styles.form} onSubmit={submit}>
        <TextField
          label={label}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={error}
          onChange={event => setTyped(event.target.value)}
        />
        <DialogFooter>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button type="submit" tone="danger" busy={busy} disabled={!isRight}>
            {confirm}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
