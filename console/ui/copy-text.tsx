import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { m } from "../messages/index.ts";
import { copy } from "./copy.ts";
import styles from "./copy-text.module.css";

const SAID_MS = 2_000;

/** An id or another short text with a button that copies it. `label` says what is copied. */
export function CopyText({ text, label }: { text: string; label: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button
      type="button"
      className={styles.copy}
      aria-label={copied ? m.copied : `${m.once.copy}: ${label} ${text}`}
      title={m.once.copy}
      onClick={() => void copy(text).then(setCopied)}
    >
      <code>{text}</code>
      {copied ? <Check size={12} aria-hidden /> : <Copy size={12} aria-hidden />}
    </button>
  );
}
