import { AlertDialog as BaseAlert } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { createContext, type ReactNode, type RefObject, use, useCallback, useEffect, useRef, useState } from "react";
import { m } from "../messages/index.ts";
import { Button, type ButtonTone, IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import styles from "./dialog.module.css";
import { firstFocus } from "./first-focus.ts";
import { useKeptFocus } from "./kept-focus.ts";

const Hold = createContext<((isHeld: boolean) => void) | undefined>(undefined);

/** Keeps the dialog around it open on Escape and on a press outside, because its content is shown only once. */
export function KeepOpen(): null {
  const hold = use(Hold);
  useEffect(() => {
    hold?.(true);
    return () => hold?.(false);
  }, [hold]);
  return null;
}

const STRAY = new Set(["escape-key", "outside-press"]);

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children: ReactNode;
  /** The row of buttons at the end. */
  actions?: ReactNode;
  wide?: boolean;
  /** The element that gets the focus. By default it is the first field, or else the first button at the end. */
  focusOn?: RefObject<HTMLElement | null>;
}

export function Dialog({ open, onClose, title, description, children, actions, wide, focusOn }: DialogProps) {
  const popup = useRef<HTMLDivElement>(null);
  const held = useRef(false);
  const hold = useCallback((isHeld: boolean) => void (held.current = isHeld), []);
  const finalFocus = useKeptFocus(open);
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason }) => {
        if (!next && !(held.current && STRAY.has(reason))) onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop className={styles.scrim} />
        <Base.Popup
          ref={popup}
          className={cx(styles.popup, wide && styles.wide)}
          initialFocus={focusOn ?? (() => firstFocus(popup.current))}
          finalFocus={finalFocus}
        >
          <header className={styles.head}>
            <Base.Title className={styles.title}>{title}</Base.Title>
            <Base.Close render={<IconButton label={m.close} size="small" />}>
              <X size={16} aria-hidden />
            </Base.Close>
          </header>
          {description ? <Base.Description className={styles.description}>{description}</Base.Description> : null}
          <div className={styles.body}>
            <Hold value={hold}>{children}</Hold>
          </div>
          {actions ? (
            <footer className={styles.actions} data-ends>
              {actions}
            </footer>
          ) : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons at the end of a form in a dialog. They stay visible while the form scrolls. */
export const DialogFooter = ({ children }: { children: ReactNode }) => (
  <div className={cx(styles.actions, styles.ends)} data-ends>
    {children}
  </div>
);

export interface ConfirmFrameProps {
  open: boolean;
  /** The user leaves the dialog. */
  onClose: () => void;
  title: ReactNode;
  /** What will happen. */
  children: ReactNode;
  /** The label of the button that confirms, a verb. */
  confirm: string;
  /** The label of the button that changes nothing. */
  keep?: string;
  tone?: ButtonTone;
  /** Whether the action is running. */
  busy: boolean;
  /** Why the last try failed. */
  notice: ReactNode;
  onConfirm: () => void;
}

/** The look of `Confirm`, without its action. A press outside does not close it. */
export function ConfirmFrame(props: ConfirmFrameProps) {
  const { open, onClose, busy, onConfirm } = props;
  // The texts often name an item that the page no longer has while the dialog fades out.
  const [shown, setShown] = useState(props);
  if (open && shown !== props) setShown(props);
  const { title, children, confirm, keep = m.cancel, tone = "danger", notice } = shown;
  const safe = useRef<HTMLButtonElement>(null);
  const finalFocus = useKeptFocus(open);
  return (
    <BaseAlert.Root open={open} onOpenChange={next => !next && onClose()}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={styles.scrim} />
        <BaseAlert.Popup className={styles.popup} initialFocus={safe} finalFocus={finalFocus}>
          <header className={styles.head}>
            <BaseAlert.Title className={styles.title}>{title}</BaseAlert.Title>
          </header>
          <BaseAlert.Description className={styles.body} render={<div />}>
            {children}
            {notice}
          </BaseAlert.Description>
          <footer className={styles.actions}>
            <Button ref={safe} disabled={busy} onClick={onClose}>
              {keep}
            </Button>
            <Button
              tone={tone}
              busy={busy}
              className={tone === "danger" ? styles.final : undefined}
              onClick={onConfirm}
            >
              {confirm}
            </Button>
          </footer>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  );
}
