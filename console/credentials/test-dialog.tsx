import { type SyntheticEvent, useState } from "react";
import { type Credential, type CredentialTest, testCredential } from "../data/credentials.ts";
import { faultAt, problemOf } from "../data/problem.ts";
import { words } from "../messages/en-inspector.ts";
import { m } from "../messages/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/states.tsx";
import styles from "./credentials.module.css";

interface TestDialogProps {
  workspaceId: string;
  credential: Credential;
  /** Whether it signs requests, so that the test can call an address with it. */
  signs: boolean;
  onClose: () => void;
}

/** Tests a credential and shows the response. */
export function TestDialog({ workspaceId, credential, signs, onClose }: TestDialogProps) {
  const [host = ""] = credential.hosts.filter(one => !one.includes("*"));
  const [url, setUrl] = useState(signs && host !== "" ? `https://${host}/` : "");
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<CredentialTest>();
  const [error, setError] = useState<unknown>();
  const fault = error === undefined ? undefined : (faultAt(error, "/url") ?? problemOf(error).title);
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    setResult(undefined);
    try {
      setResult(await testCredential(workspaceId, credential.id, url.trim()));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.credential.testOf(credential.name)}
      actions={
        <>
          <Button onClick={onClose}>{m.close}</Button>
          <Button tone="primary" type="submit" form="test-credential" busy={busy}>
            {words.credential.test}
          </Button>
        </>
      }
    >
      <form id="test-credential" className={styles.form} onSubmit={event => void submit(event)}>
        {signs ? (
          <TextField
            label={words.credential.testUrl}
            hint={words.credential.testUrlHint}
            error={fault}
            type="url"
            autoComplete="off"
            value={url}
            onChange={event => setUrl(event.target.value)}
          />
        ) : fault ? (
          <Notice tone="bad">{fault}</Notice>
        ) : null}
        {result ? (
          <Notice tone={result.ok ? "info" : "bad"}>
            <strong>{result.ok ? words.credential.works : words.credential.fails}.</strong> {result.message}
          </Notice>
        ) : null}
        {result?.body ? <pre className={styles.body}>{result.body}</pre> : null}
      </form>
    </Dialog>
  );
}
