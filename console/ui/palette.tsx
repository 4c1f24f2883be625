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
  /** The text if nothing matches. */
  nothing: string;
  /** Shown below the list. */
  note?: string | undefined;
  /** Text that was typed before the palette was loaded. */
  typed?: string | undefined;
  /** Called with the typed text, to look up further items. */
  onType?: (text: string) => void;
  onClose: () => void;
}

/** A dialog that finds a command by a part of its name and runs it. */
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
