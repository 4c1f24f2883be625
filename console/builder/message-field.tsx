import { words } from "../messages/en-builder.ts";
import { TextArea } from "../ui/field.tsx";

const MAX = 500;

/** The field for the message of a version or a deployment. */
export function MessageField({
  hint,
  value,
  onChange,
}: {
  hint: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextArea
      label={words.message}
      hint={hint}
      rows={2}
      maxLength={MAX}
      value={value}
      onChange={event => onChange(event.target.value)}
    />
  );
}
