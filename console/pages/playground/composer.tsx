import { Send } from "lucide-react";
import { type KeyboardEvent, type SyntheticEvent, useState } from "react";
import { problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-playground.ts";
import { RoleButton } from "../../shell/role-button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Notice, ProblemNotice } from "../../ui/states.tsx";
import { useMedia } from "../../ui/use-media.ts";
import styles from "./playground.module.css";

interface ComposerProps {
  /** Sends a message. It calls `sent`, which clears the field, once the service has accepted it. */
  onSend: (text: string, sent: () => void) => void;
  busy: boolean;
  /** Why no message can be sent. Undefined if it can. */
  blocked: string | undefined;
  error: unknown;
}

/** The field for a message. If sending fails, the message stays in it. */
export function Composer({ onSend, busy, blocked, error }: ComposerProps) {
  const [text, setText] = useState("");
  // The keyboard of a touch screen has no Shift and Enter, so its Enter starts a new line.
  const hasTouch = useMedia("(pointer: coarse)");
  const send = () => {
    if (text.trim() !== "" && !busy && blocked === undefined) onSend(text.trim(), () => setText(""));
  };
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    send();
  };
  const keys = (event: KeyboardEvent) => {
    if (hasTouch || event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form className={styles.composer} onSubmit={submit}>
      {blocked === undefined ? null : <Notice tone="warn">{blocked}</Notice>}
      {error ? <ProblemNotice problem={problemOf(error)} /> : null}
      <TextArea
        label={words.message}
        hint={hasTouch ? undefined : words.sendHint}
        rows={2}
        maxLength={20_000}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={keys}
      />
      <RoleButton
        least="editor"
        type="submit"
        tone="primary"
        icon={<Send size={14} aria-hidden />}
        busy={busy}
        disabled={blocked !== undefined}
        title={blocked}
      >
        {words.send}
      </RoleButton>
    </form>
  );
}
