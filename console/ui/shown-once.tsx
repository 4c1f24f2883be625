import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { m } from "../messages/index.ts";
import { Button } from "./button.tsx";
import { copy } from "./copy.ts";
import styles from "./shown-once.module.css";

/** A value that is shown only once, such as a new key, with a button that copies it. */
export function ShownOnce({ value, label }: { value: string; label: string }) {
  const [state, setState] = useState<"shown" | "copied" | "refused">("shown");
  const text = useRef<HTMLElement>(null);
  const take = async () => {
    const done = await copy(value);
    setState(done ? "copied" : "refused");
    if (!done && text.current) getSelection()?.selectAllChildren(text.current);
  };
  return (
    <div className={styles.once}>
      <code ref={text} className={styles.value} aria-label={label}>
        {value}
      </code>
      <Button
        size="small"
        icon={state === "copied" ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
        onClick={() => void take()}
      >
        {state === "copied" ? m.once.copied : m.once.copy}
      </Button>
      <p className={state === "refused" ? styles.refused : "visually-hidden"} role="status">
        {state === "copied" ? m.once.copied : state === "refused" ? m.once.select : ""}
      </p>
    </div>
  );
}
