import { ExternalLink } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { authorizeAddress, type Credential, untilAuthorized } from "../data/credentials.ts";
import { problemOf } from "../data/problem.ts";
import { words } from "../messages/en-inspector.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/states.tsx";
import styles from "./credentials.module.css";

const POPUP = "popup,width=560,height=720";

interface AuthorizeProps {
  workspaceId: string;
  credential: Credential;
  onDone: (credential: Credential) => void;
}

/** Lets the user authorize a credential in a new window. */
export function Authorize({ workspaceId, credential, onDone }: AuthorizeProps) {
  const [waiting, setWaiting] = useState(false);
  const [fault, setFault] = useState<string>();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const begin = async () => {
    // Browsers allow a new window only directly after a click, so it opens before its address is known.
    const popup = window.open("about:blank", "_blank", POPUP);
    if (!popup) return setFault(words.credential.blocked);
    stop.current?.abort();
    const own = (stop.current = new AbortController());
    setWaiting(true);
    setFault(undefined);
    try {
      popup.location.href = await authorizeAddress(workspaceId, credential.id);
      const now = await untilAuthorized(workspaceId, credential.id, own.signal);
      if (own.signal.aborted) return;
      if (now.status === "ready") onDone(now);
      else setFault(now.lastError ?? words.credential.status[now.status]);
    } catch (error) {
      popup.close();
      if (!own.signal.aborted) setFault(`${problemOf(error).title}. ${problemOf(error).detail}`);
    } finally {
      if (!own.signal.aborted) setWaiting(false);
    }
  };
  return (
    <div className={styles.authorize}>
      {fault ? <Notice tone="bad">{fault}</Notice> : null}
      <p>{waiting ? words.credential.authorizing : words.credential.authorizeHint}</p>
      <Button
        tone="primary"
        icon={<ExternalLink size={14} aria-hidden />}
        onClick={() => void begin()}
        aria-busy={waiting || undefined}
      >
        {waiting ? words.credential.authorizeAgain : words.credential.authorize}
      </Button>
    </div>
  );
}
