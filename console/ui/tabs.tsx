import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import styles from "./tabs.module.css";

interface TabsProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; label: ReactNode; count?: number | undefined }[];
  /** The label of the tabs, for screen readers. */
  label: string;
  /** The panel of the current tab. */
  children: ReactNode;
}

export function Tabs<T extends string>({ value, onChange, tabs, label, children }: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={next => onChange(next as T)}>
      <Base.List className={styles.list} aria-label={label}>
        {tabs.map(tab => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count === undefined ? null : <span className={styles.count}>{tab.count}</span>}
          </Base.Tab>
        ))}
        <Base.Indicator className={styles.indicator} />
      </Base.List>
      <Base.Panel value={value} className={styles.panel}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
