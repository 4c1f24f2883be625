import { X } from "lucide-react";
import { useState } from "react";
import type { WorkflowAddress } from "../data/builder.ts";
import { draftStore } from "../data/draft-store.ts";
import { remoteDrafts } from "../data/remote-drafts.ts";
import { words } from "../messages/en-builder.ts";
import { dayAndTime } from "../messages/time.ts";
import { Confirm } from "../shell/confirm.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { Notice } from "../ui/states.tsx";
import { forgetInvalidTexts } from "./invalid-texts.ts";
import type { OpenedDraft } from "./opened.ts";

interface DraftNoticeProps {
  at: WorkflowAddress;
  userId: string;
  opened: OpenedDraft;
  /** Continues with the draft of the other device. */
  onOther: () => void;
  onDiscarded: () => void;
}

/** Says that a draft was restored, its time and its device. Users can discard it here. */
export function DraftNotice({ at, userId, opened, onOther, onDiscarded }: DraftNoticeProps) {
  const [asking, setAsking] = useState(false);
  const [closed, setClosed] = useState(false);
  const { draft, here, other } = opened;
  const discard = async () => {
    const dropThere = remoteDrafts.drop(at).then(() => draftStore.note(userId, at.id, undefined));
    await Promise.allSettled([draftStore.drop(userId, at.id), dropThere]);
    forgetInvalidTexts(userId, at.id);
    onDiscarded();
  };
  if (closed) return null;
  return (
    <>
      <Notice
        action={
          <>
            {other ? (
              <Button size="small" onClick={onOther}>
                {words.openOther}
              </Button>
            ) : null}
            <Button size="small" onClick={() => setAsking(true)}>
              {words.discard}
            </Button>
            <IconButton size="small" label={words.close} onClick={() => setClosed(true)}>
              <X size={14} aria-hidden />
            </IconButton>
          </>
        }
      >
        {words.restored(dayAndTime(draft.at), here)}
        {other ? ` ${words.hasOther(dayAndTime(other.at))}` : null}
      </Notice>
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={words.discardTitle}
        confirm={words.discard}
        onConfirm={discard}
      >
        {words.discardText(draft.baseVersion)}
      </Confirm>
    </>
  );
}
