let text = "";
let stop: (() => void) | undefined;

/**
 * Holds what is typed until something that is still loaded can take it, so that no letter is lost or starts a command.
 * What is typed comes after `start`.
 */
export function holdKeys(start = ""): void {
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

/** What was typed since `holdKeys`. From now on, keys go where they would. */
export function heldKeys(): string {
  stop?.();
  stop = undefined;
  return text;
}
