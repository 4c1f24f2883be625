import { use, useEffect, useRef, useState } from "react";
import { Paperclip, X } from "lucide-react";
import { isRecord } from "../data/json.ts";
import { problemOf } from "../data/problem.ts";
import { formTexts } from "../messages/en-forms.ts";
import { bytesText } from "../messages/bytes.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { emptyOf, fieldMessages, type FieldProps } from "./field-props.tsx";
import styles from "./form.module.css";
import { JsonField } from "./inputs.tsx";
import { type FileValue, Uploads } from "./uploads.ts";
import { unreadable, unreadableText, UPLOADING } from "./values.ts";

const fileIn = (value: unknown): FileValue["$file"] | undefined =>
  isRecord(value) && isRecord(value.$file) ? (value.$file as unknown as FileValue["$file"]) : undefined;

/** A file from this device. It is uploaded as soon as the user chooses it. */
export function FileField(props: FieldProps<"file">) {
  const { field, value, onChange, required } = props;
  const upload = use(Uploads);
  const input = useRef<HTMLInputElement>(null);
  const underWay = useRef<AbortController>(undefined);
  const [name, setName] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const file = fileIn(value);
  const left = name === undefined && unreadableText(value) === UPLOADING;

  // A restored draft may contain an upload that ended when the page was closed.
  useEffect(() => {
    if (left) onChange(emptyOf(field));
  }, [left, onChange, field]);
  useEffect(() => () => underWay.current?.abort(), []);

  if (!upload) return <JsonField {...props} field={{ ...field, kind: "json" }} />;

  const clear = () => {
    underWay.current?.abort();
    setName(undefined);
    onChange(emptyOf(field));
  };
  const choose = async (chosen: File) => {
    setProblem(undefined);
    if (chosen.size > (field.maxBytes ?? Infinity))
      return setProblem(formTexts.file.tooLarge(bytesText(field.maxBytes!)));
    const controller = new AbortController();
    underWay.current = controller;
    setName(chosen.name);
    onChange(unreadable(UPLOADING));
    try {
      const stored = await upload(chosen, controller.signal);
      if (!controller.signal.aborted) onChange(stored);
    } catch (error) {
      if (controller.signal.aborted) return;
      onChange(emptyOf(field));
      const { title, detail } = problemOf(error);
      setProblem([title, detail].filter(Boolean).join(" "));
    } finally {
      if (underWay.current === controller) setName(undefined);
    }
  };
  const words = fieldMessages(props);
  return (
    <Field {...words} error={problem ?? words.error}>
      {given => (
        <div className={styles.file}>
          <input
            ref={input}
            type="file"
            className="visually-hidden"
            {...given}
            tabIndex={-1}
            accept={field.types?.join(",") || undefined}
            aria-required={required}
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              // Allows the user to choose the same file again.
              if (chosen) void choose(chosen);
              target.value = "";
            }}
          />
          <Button
            icon={<Paperclip size={14} aria-hidden />}
            busy={name !== undefined}
            aria-describedby={given["aria-describedby"]}
            data-fault={given["aria-invalid"]}
            onClick={() => input.current?.click()}
          >
            {name === undefined ? formTexts.file.choose : formTexts.file.uploading}
          </Button>
          <span className={styles.fileName} aria-live="polite">
            {name ?? file?.name ?? formTexts.file.none}
            {file && name === undefined ? <span className={styles.optional}> {bytesText(file.size)}</span> : null}
          </span>
          {file || name !== undefined ? (
            <IconButton size="small" label={formTexts.remove(name ?? file?.name ?? "")} onClick={clear}>
              <X size={14} aria-hidden />
            </IconButton>
          ) : null}
        </div>
      )}
    </Field>
  );
}
