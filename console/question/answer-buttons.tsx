import { Check, X } from "lucide-react";
import { Button } from "../ui/button.tsx";

interface Props {
  names: { approve: string; reject: string };
  sending: "approve" | "reject" | undefined;
  onReject: () => void;
}

/** The buttons that approve and reject. Approving submits the form. */
export const AnswerButtons = ({ names, sending, onReject }: Props) => (
  <>
    <Button
      size="large"
      wide
      icon={<X size={16} aria-hidden />}
      busy={sending === "reject"}
      disabled={sending === "approve"}
      onClick={onReject}
    >
      {names.reject}
    </Button>
    <Button
      type="submit"
      size="large"
      tone="primary"
      wide
      icon={<Check size={16} aria-hidden />}
      busy={sending === "approve"}
      disabled={sending === "reject"}
    >
      {names.approve}
    </Button>
  </>
);
