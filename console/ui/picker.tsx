import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import dialog from "./dialog.module.css";
import palette from "./palette.module.css";
import styles from "./picker.module.css";

export interface PickerItem {
  id: string;
  title: string;
  /** One line below the title. */
  detail?: string | undefined;
  group: string;
  icon?: ReactNode;
  aside?: ReactNode;
  /** Why the item cannot be chosen. */
  disabled?: string | undefined;
  /** Further words that the search matches. */
  words?: string | undefined;
}

interface PickerProps {
  items: readonly PickerItem[];
  placeholder: string;
  /** The text if nothing matches. */
  nothing: string;
  onPick: (id: string) => void;
  onClose: () => void;
  /** Text that was typed before the picker was loaded. */
  typed?: string | undefined;
  /** Called with the typed text, to look up further items. */
  onType?: (text: string) => void;
  footer?: ReactNode;
}

/** The most rows that are rendered, because thousands take seconds. Typing narrows the list. */
const MAX_SHOWN = 500;

const textOf = ({ title, words = "", detail = "" }: PickerItem) => `${title} ${words} ${detail}`;

/** How well an item matches the typed text. Infinite if it does not. Names count more than other texts. */
function distance({ title, words = "", detail = "" }: PickerItem, typed: string): number {
  const [name, more] = [title.toLowerCase(), words.toLowerCase()];
  if (name.startsWith(typed)) return 0;
  if (name.split(/\s+/).some(word => word.startsWith(typed))) return 1;
  if (more.split(/\s+/).some(word => word.startsWith(typed))) return 2;
  return name.includes(typed) || more.includes(typed) || detail.toLowerCase().includes(typed) ? 3 : Infinity;
}

function fitting(items: readonly PickerItem[], typed: string): readonly PickerItem[] {
  const text = typed.trim().toLowerCase();
  if (text === "") return items;
  return items
    .map(item => ({ item, far: distance(item, text) + (item.disabled === undefined ? 0 : 10) }))
    .filter(({ far }) => far < Infinity)
    .toSorted((a, b) => a.far - b.far)
    .map(({ item }) => item);
}

/** Lets users choose one of many items by typing a part of its name. */
export function Picker({ items, placeholder, nothing, typed: early, onPick, onClose, onType, footer }: PickerProps) {
  const [typed, setTyped] = useState(early ?? "");
  const input = useRef<HTMLInputElement>(null);
  // The dialog gets the focus a moment after it opens. Text typed until then belongs to it and triggers no command.
  useLayoutEffect(() => {
    const take = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || document.activeElement === input.current) return;
      if (key.length > 1 && !key.startsWith("Arrow") && key !== "Enter") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      input.current?.focus();
      if (key.length === 1) setTyped(before => before + key);
    };
    window.addEventListener("keydown", take, true);
    return () => window.removeEventListener("keydown", take, true);
  }, []);
  const groups = [...Map.groupBy(fitting(items, typed).slice(0, MAX_SHOWN), ({ group }) => group)].map(
    ([value, list]) => ({
      value,
      items: list,
    }),
  );
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.scrim} />
        <Dialog.Popup className={palette.popup} aria-label={placeholder}>
          <Autocomplete.Root
            items={groups}
            itemToStringValue={(item: unknown) => textOf(item as PickerItem)}
            filter={null}
            value={typed}
            onValueChange={text => {
              setTyped(text);
              onType?.(text);
            }}
            open
            inline
            autoHighlight="always"
            keepHighlight
          >
            <div className={palette.head}>
              <Search size={16} aria-hidden />
              <Autocomplete.Input
                ref={input}
                className={palette.input}
                placeholder={placeholder}
                aria-label={placeholder}
              />
            </div>
            <Autocomplete.Empty className={palette.empty}>{nothing}</Autocomplete.Empty>
            <Autocomplete.List className={palette.list}>
              {(group: { value: string; items: PickerItem[] }) => (
                <Autocomplete.Group key={group.value} items={group.items}>
                  <Autocomplete.GroupLabel className={palette.group}>{group.value}</Autocomplete.GroupLabel>
                  <Autocomplete.Collection>
                    {(item: PickerItem) => (
                      <Autocomplete.Item
                        key={item.id}
                        value={item}
                        className={palette.item}
                        disabled={item.disabled !== undefined}
                        onClick={() => onPick(item.id)}
                      >
                        {item.icon ? <span className={styles.icon}>{item.icon}</span> : null}
                        <span className={styles.texts}>
                          <span className={palette.title}>{item.title}</span>
                          {item.disabled || item.detail ? (
                            <span className={styles.detail}>{item.disabled ?? item.detail}</span>
                          ) : null}
                        </span>
                        {item.aside}
                      </Autocomplete.Item>
                    )}
                  </Autocomplete.Collection>
                </Autocomplete.Group>
              )}
            </Autocomplete.List>
            {footer ? <div className={styles.footer}>{footer}</div> : null}
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
