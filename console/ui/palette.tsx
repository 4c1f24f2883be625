import { Keys } from "./kbd.tsx";
import { Picker } from "./picker.tsx";

export interface PaletteItem {
  id: string;
  title: string;
  group: string;
  /** One line below the title. */
  detail?: string | undefined;
  keys?: string | undefined;
  words?: string | undefined;
  run: () => void;
}

interface PaletteProps {
  items: readonly PaletteItem[];
  placeholder: string;
  /** Said when nothing matches. */
  nothing: string;
  /** Said below the list. */
  note?: string | undefined;
  /** What was typed before it was there. */
  typed?: string | undefined;
  /** What was typed, for items that are looked up. */
  onType?: (text: string) => void;
  onClose: () => void;
}

/** Does one of many things, found by a part of its name. */
export function PaletteDialog({ items, note, onClose, ...rest }: PaletteProps) {
  return (
    <Picker
      {...rest}
      {...(note !== undefined && { footer: note })}
      items={items.map(({ keys, ...item }) => ({ ...item, aside: keys ? <Keys keys={keys} /> : undefined }))}
      onPick={id => {
        onClose();
        items.find(item => item.id === id)?.run();
      }}
      onClose={onClose}
    />
  );
}
