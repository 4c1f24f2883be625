import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { useEffect } from "react";
import { m } from "../messages/index.ts";
import { IconButton } from "./button.tsx";
import { remedyOf } from "./remedy.ts";
import type { ToastContent } from "./toast-content.ts";
import styles from "./toast.module.css";

const manager = Base.createToastManager();
async function show({ title, description, failed, code }: ToastContent): Promise<void> {
  const remedy = await remedyOf(code);
  const text = [description, remedy].filter(Boolean).join(" ") || undefined;
  manager.add(
    failed
      ? { title, description: text, type: "failed", timeout: 0, priority: "high" }
      : { title, description: text, type: "done", timeout: 5_000 },
  );
}

function List() {
  const { toasts } = Base.useToastManager();
  return toasts.map(one => (
    <Base.Root key={one.id} toast={one} className={styles.toast} swipeDirection={["right", "down"]}>
      <Base.Content className={styles.content}>
        <Base.Title className={styles.title} />
        <Base.Description className={styles.description} />
      </Base.Content>
      <Base.Close render={<IconButton label={m.close} size="small" />}>
        <X size={16} aria-hidden />
      </Base.Close>
    </Base.Root>
  ));
}

/** The toasts of the page. `onReady` gets the function that shows a toast, once the provider is ready for it. */
export function Toasts({ onReady }: { onReady: (show: (said: ToastContent) => void) => void }) {
  // A parent's effects run after those of its children.
  useEffect(() => onReady(said => void show(said)), [onReady]);
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport} aria-label={m.toasts}>
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}
