import { ChevronsUpDown, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Pickable } from "../../../data/pickable.ts";
import { words } from "../../../messages/en-inspector.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { PaletteDialog, type PaletteItem } from "../../../ui/palette.tsx";
import type { PickerProps } from "../../../forms/step/context.ts";
import { FieldFrame } from "../../../forms/step/field-frame.tsx";
import styles from "./pick.module.css";

interface PickProps extends PickerProps {
  /** Undefined while they load. */
  options: readonly Pickable[] | undefined;
  nothing: string;
  /** Further entries besides the options, such as one that creates something. */
  acts?: PaletteItem[];
  /** Content below the field. */
  children?: ReactNode;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** A field that holds an id: a button with the name of the chosen thing, which opens a list with a search. */
export function PickOne(props: PickProps) {
  const { label, hint, error, required, value, onChange, readOnly, options, nothing, acts = [], children } = props;
  const [open, setOpen] = useState(false);
  const chosen = options?.find(({ id }) => id === value);
  const text = chosen?.name ?? (isText(value) ? (options ? words.pick.gone(value) : value) : words.pick.choose);
  const items: PaletteItem[] = [
    ...acts,
    ...(!required && isText(value)
      ? [{ id: "none", title: words.pick.none, group: "", run: () => onChange(undefined) }]
      : []),
    ...(options ?? []).map(({ id, name, detail }) => ({
      id,
      title: name,
      group: detail || label,
      run: () => onChange(id),
    })),
  ];
  return (
    <FieldFrame {...{ label, required, hint }} control fault={error}>
      {({ id, describedBy, invalid }) => (
        <>
          <button
            id={id}
            type="button"
            className={styles.button}
            aria-describedby={describedBy}
            data-fault={invalid || undefined}
            aria-haspopup="dialog"
            disabled={readOnly}
            data-empty={!isText(value) || undefined}
            onClick={() => setOpen(true)}
          >
            <span className={styles.chosen}>{text}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </button>
          {children}
          {open ? (
            <PaletteDialog
              items={items}
              placeholder={`${words.pick.search}: ${label}`}
              nothing={nothing}
              onClose={() => setOpen(false)}
            />
          ) : null}
        </>
      )}
    </FieldFrame>
  );
}

/** A field that holds several ids: the names of the chosen things, each with a button that removes it. */
export function PickSeveral(props: PickProps) {
  const { label, hint, error, required, value, onChange, readOnly, options, nothing } = props;
  const [open, setOpen] = useState(false);
  const ids = Array.isArray(value) ? value.filter(isText) : [];
  const nameOf = (id: string) => options?.find(one => one.id === id)?.name ?? (options ? words.pick.gone(id) : id);
  const set = (next: string[]) => onChange(next.length === 0 && !required ? undefined : next);
  const items = (options ?? [])
    .filter(({ id }) => !ids.includes(id))
    .map(({ id, name, detail }) => ({ id, title: name, group: detail || label, run: () => set([...ids, id]) }));
  return (
    <FieldFrame {...{ label, required, hint }} fault={error}>
      {({ labelId, describedBy }) => (
        <div role="group" aria-labelledby={labelId} aria-describedby={describedBy} className={styles.several}>
          {ids.map(id => (
            <span key={id} className={styles.chip}>
              <span className={styles.chosen}>{nameOf(id)}</span>
              {readOnly ? null : (
                <IconButton
                  size="small"
                  className={styles.remove}
                  label={words.pick.remove(nameOf(id))}
                  onClick={() => set(ids.filter(one => one !== id))}
                >
                  <X size={12} aria-hidden />
                </IconButton>
              )}
            </span>
          ))}
          {readOnly ? null : (
            <Button size="small" aria-label={words.pick.add(label)} onClick={() => setOpen(true)}>
              {words.pick.choose}
            </Button>
          )}
          {open ? (
            <PaletteDialog
              items={items}
              placeholder={`${words.pick.search}: ${label}`}
              nothing={nothing}
              onClose={() => setOpen(false)}
            />
          ) : null}
        </div>
      )}
    </FieldFrame>
  );
}
