import { Link2 } from "lucide-react";
import { type Asked, questionPath } from "../data/question-address.ts";
import { answerTexts } from "../messages/en-answers.ts";
import { Button, type ButtonLook } from "../ui/button.tsx";
import { copy } from "../ui/copy.ts";
import { toast } from "../ui/toast.tsx";

interface CopyLinkProps extends ButtonLook {
  run: { workspaceId: string; id: string };
  asked: Asked;
}

/** Copies the address of the question's own page, for the person who should answer. */
export function CopyLink({ run, asked, ...look }: CopyLinkProps) {
  const link = new URL(questionPath(run, asked), location.origin).href;
  const copyIt = async () => {
    if (await copy(link)) toast.done(answerTexts.question.linkCopied);
    else toast.failed(answerTexts.question.linkNotCopied, link);
  };
  return (
    <Button {...look} icon={<Link2 size={14} aria-hidden />} onClick={() => void copyIt()}>
      {answerTexts.question.copyLink}
    </Button>
  );
}
