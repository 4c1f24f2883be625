import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import dialog from "./dialog.module.css";
import { Keys } from "./kbd.tsx";
import styles from "./palette.module.css";

export interface PaletteItem {
  id: string;
  title: string;
  group: string;
  keys?: string | undefined;
  words?: string | undefined;
  run: () => void;
}

interface PaletteProps {
  items: readonly PaletteItem[];
  placeholder: string;
  /** Said when nothing matches. */
  nothing: string;
  onClose: () => void;
}

const textOf = ({ title, words = "" }: PaletteItem) => `${title} ${words}`;

export function PaletteDialog({ items, placeholder, nothing, onClose }: PaletteProps) {
  const groups = [...Map.groupBy(items, ({ group }) => group)].map(([value, list]) => ({ value, items: list }));
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.scrim} />
        <Dialog.Popup className={styles.popup} aria-label={placeholder}>
          <Autocomplete.Root
            items={groups}
            itemToStringValue={(item: unknown) => textOf(item as PaletteItem)}
            open
            inline
            autoHighlight="always"
            keepHighlight
          >
            <div className={styles.head}>
              <Search size={16} aria-hidden />
              <Autocomplete.Input className={styles.input} placeholder={placeholder} aria-label={placeholder} />
            </div>
            <Autocomplete.Empty className={styles.empty}>{nothing}</Autocomplete.Empty>
            <Autocomplete.List className={styles.list}>
              {(group: { value: string; items: PaletteItem[] }) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className={styles.group}>{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PaletteItem) => (
                      <Autocomplete.Item
                        key={item.id}
                        value={item}
                        className={styles.item}
                        onClick={() => {
                          onClose();
                          item.run();
                        }}
                      >
                        <span className={styles.title}>{item.title}</span>
                        {item.keys ? <Keys keys={item.keys} /> : null}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
