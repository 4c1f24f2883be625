import { type SyntheticEvent, useState } from "react";
import { faultAt, problemOf } from "../../data/problem.ts";
import { words } from "../../messages/en-inspector.ts";
import { m } from "../../messages/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";

const MAX_BYTES = 262_144;

function read(text: string): { value: unknown } | { fault: string } {
  if (new Blob([text]).size > MAX_BYTES) return { fault: words.pinBig };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: words.pinBad };
  }
}

interface PinDialogProps {
  value: unknown;
  onPin: (value: unknown) => Promise<void>;
  onClose: () => void;
}

/** Edits the sample of a step, or creates one for a step that has no output yet. */
export function PinDialog({ value, onPin, onClose }: PinDialogProps) {
  const [text, setText] = useState(() => (value === undefined ? "{\n  \n}" : JSON.stringify(value, null, 2)));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const found = read(text);
  const fault = "fault" in found && tried ? found.fault : undefined;
  const refused = error === undefined ? undefined : (faultAt(error, "/value") ?? problemOf(error).title);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if ("fault" in found) return;
    setBusy(true);
    try {
      await onPin(found.value);
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={words.pinTitle}
      actions={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button tone="primary" type="submit" form="pin-sample" busy={busy}>
            {words.pin}
          </Button>
        </>
      }
    >
      <form id="pin-sample" onSubmit={event => void submit(event)}>
        <TextArea
          code
          label={words.pinLabel}
          hint={words.pinHint}
          error={fault ?? refused}
          rows={16}
          spellCheck={false}
          value={text}
          onChange={event => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
