let text = "";
let stop: (() => void) | undefined;

/**
 * Stores typed characters until a component that is still loading can take them, so that none is lost or triggers a
 * command. They are added after `start`.
 */
export function bufferKeys(start = ""): void {
  stop?.();
  text = start;
  const take = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || key.length > 1) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    text += key;
  };
  addEventListener("keydown", take, true);
  stop = () => removeEventListener("keydown", take, true);
}

/** Returns what was typed since `bufferKeys`, and stops storing. */
export function takeBufferedKeys(): string {
  stop?.();
  stop = undefined;
  return text;
}
