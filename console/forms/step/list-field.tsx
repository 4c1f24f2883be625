import { ArrowDown, ArrowUp } from "lucide-react";
import { type ComponentType, useState } from "react";
import { isRecord } from "../../data/json.ts";
import { words } from "../../messages/en-inspector.ts";
import { formTexts } from "../../messages/en-forms.ts";
import { IconButton } from "../../ui/button.tsx";
import { pointerPart } from "../values.ts";
import { type StepFieldProps, useStepForm } from "./context.ts";
import { JsonField } from "./json-field.tsx";
import { initialValueOf, resolved } from "./model.ts";
import { RemoveRow, RowsFrame } from "./rows-frame.tsx";
import styles from "./step.module.css";
import { Switchable } from "./switchable.tsx";

const newKey = () => crypto.getRandomValues(new Uint32Array(1))[0]!;

/** Gives a new item a free id, if its schema has one, as cases of a switch do. */
function withFreeId(item: unknown, items: readonly unknown[]): unknown {
  if (!isRecord(item) || item.id !== "") return item;
  const taken = new Set(items.map(one => (isRecord(one) ? one.id : undefined)));
  for (let n = items.length + 1; ; n++) if (!taken.has(`case${n}`)) return { ...item, id: `case${n}` };
}

/** A list to which users add items, and in which they move and remove them. */
export function ListField({ Part, ...props }: StepFieldProps & { Part: ComponentType<StepFieldProps> }) {
  const { schema, label, required, value, pointer } = props;
  const { change, readOnly, root } = useStepForm();
  const items: unknown[] = Array.isArray(value) ? value : [];
  // Items have no names. Each gets a key when it is added, and keeps it when another item is removed.
  const [keys, setKeys] = useState<number[]>(() => items.map(newKey));
  if (value !== undefined && !Array.isArray(value) && typeof value !== "string") return <JsonField {...props} />;
  const item = resolved(schema.items, root);
  const set = (next: unknown[], nextKeys: number[]) => {
    setKeys(nextKeys);
    change(pointer, next.length === 0 && !required ? undefined : next);
  };
  const keyed = items.map((_, n) => keys[n] ?? n);
  const move = (n: number, by: number) => {
    const [nextItems, nextKeys] = [[...items], [...keyed]];
    nextItems.splice(n + by, 0, ...nextItems.splice(n, 1));
    nextKeys.splice(n + by, 0, ...nextKeys.splice(n, 1));
    set(nextItems, nextKeys);
  };
  const full = typeof schema.maxItems === "number" && items.length >= schema.maxItems;
  const isPlain = !isRecord(item.properties);
  return (
    <Switchable {...props}>
      {toggle => (
        <RowsFrame
          {...{ schema, label, required, pointer, full }}
          aside={toggle}
          add={formTexts.add}
          onAdd={() => set([...items, withFreeId(initialValueOf(item, root), items)], [...keyed, newKey()])}
        >
          {items.map((one, n) => (
            <div key={keyed[n]} className={styles.item} data-plain={isPlain || undefined}>
              <div className={styles.itemBody}>
                <Part
                  schema={item}
                  label={formTexts.item(n + 1)}
                  required
                  value={one}
                  pointer={pointer + pointerPart(n)}
                />
              </div>
              {readOnly ? null : (
                <div className={styles.itemTools}>
                  <IconButton
                    size="small"
                    label={words.up(formTexts.item(n + 1))}
                    disabled={n === 0}
                    onClick={() => move(n, -1)}
                  >
                    <ArrowUp size={14} aria-hidden />
                  </IconButton>
                  <IconButton
                    size="small"
                    label={words.down(formTexts.item(n + 1))}
                    disabled={n === items.length - 1}
                    onClick={() => move(n, 1)}
                  >
                    <ArrowDown size={14} aria-hidden />
                  </IconButton>
                  <RemoveRow
                    what={formTexts.item(n + 1)}
                    onRemove={() => set(items.toSpliced(n, 1), keyed.toSpliced(n, 1))}
                  />
                </div>
              )}
            </div>
          ))}
        </RowsFrame>
      )}
    </Switchable>
  );
}
