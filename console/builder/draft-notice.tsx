import { X } from "lucide-react";
import { useState } from "react";
import type { WorkflowAddress } from "../data/builder.ts";
import { draftStore } from "../data/draft-store.ts";
import { remoteDrafts } from "../data/remote-drafts.ts";
import { words } from "../messages/en-builder.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Confirm } from "../ui/dialog.tsx";
import { Notice } from "../ui/states.tsx";
import type { OpenedDraft } from "./opened.ts";

const times = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

interface DraftNoticeProps {
  at: WorkflowAddress;
  userId: string;
  opened: OpenedDraft;
  onDiscarded: () => void;
}

/** Says that a draft was restored, from when and where, and can discard it. */
export function DraftNotice({ at, userId, opened, onDiscarded }: DraftNoticeProps) {
  const [asking, setAsking] = useState(false);
  const [closed, setClosed] = useState(false);
  const { draft, here } = opened;
  const discard = async () => {
    await Promise.allSettled([draftStore.drop(userId, at.id), remoteDrafts.drop(at)]);
    setAsking(false);
    onDiscarded();
  };
  if (closed) return null;
  return (
    <>
      <Notice
        action={
          <>
            <Button size="small" onClick={() => setAsking(true)}>
              {words.discard}
            </Button>
            <IconButton size="small" label={words.close} onClick={() => setClosed(true)}>
              <X size={14} aria-hidden />
            </IconButton>
          </>
        }
      >
        {words.restored(times.format(draft.at), here)}
      </Notice>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.discardTitle}
        confirm={words.discard}
        onConfirm={() => void discard()}
      >
        {words.discardText(draft.baseVersion)}
      </Confirm>
    </>
  );
}
