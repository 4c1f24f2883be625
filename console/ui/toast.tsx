import { Toast as Base } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { m } from "../messages/index.ts";
import { IconButton } from "./button.tsx";
import styles from "./toast.module.css";

const manager = Base.createToastManager();

/** Says what came of an act. Failures stay until they are closed. */
export const toast = {
  done: (title: string, description?: string) => manager.add({ title, description, type: "done", timeout: 5_000 }),
  failed: (title: string, description?: string) =>
    manager.add({ title, description, type: "failed", timeout: 0, priority: "high" }),
};

function Toasts() {
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

export function ToastProvider({ children }: { children: ReactNode }) {
  return (
    <Base.Provider toastManager={manager} limit={3}>
      {children}
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}
