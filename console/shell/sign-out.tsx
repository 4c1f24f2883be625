import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { signOut, unsentDrafts } from "../data/sign-out.ts";
import { m } from "../messages/index.ts";
import { words } from "../messages/en-sign-out.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./sign-out.module.css";

/** If signing out takes longer than this, the page says why. */
const SOON_MS = 400;

/** Signs the user out. If this browser holds the only copy of changes to a workflow, it asks first. */
export function SignOut({ userId, onStay }: { userId: string; onStay: () => void }) {
  const [names, setNames] = useState<readonly string[]>([]);
  const { mutate, isPending } = useMutation({
    mutationFn: (everything: boolean) => signOut(userId, everything),
    onError: onStay,
  });
  const began = useRef(false);
  useEffect(() => {
    // In development, React runs effects twice.
    if (began.current) return;
    began.current = true;
    const wait = setTimeout(() => toast.done(words.keeping), SOON_MS);
    void unsentDrafts(userId).then(found => {
      clearTimeout(wait);
      if (found.length === 0) mutate(false);
      else setNames(found);
    });
  }, [userId, mutate]);
  return (
    <Dialog
      open={names.length > 0}
      wide
      onClose={onStay}
      title={words.title}
      description={words.text(names.length)}
      actions={
        <>
          <Button onClick={onStay}>{m.cancel}</Button>
          <Button tone="danger" busy={isPending} onClick={() => mutate(true)}>
            {words.forget}
          </Button>
          <Button tone="primary" busy={isPending} onClick={() => mutate(false)}>
            {words.keep}
          </Button>
        </>
      }
    >
      <ul className={styles.names}>
        {names.map((name, n) => (
          <li key={n}>{name}</li>
        ))}
      </ul>
      <p className={styles.hint}>{words.hint}</p>
    </Dialog>
  );
}
