import { useClockText } from "../ui/time.tsx";
import { Notice } from "../ui/states.tsx";

/** The error of a form on one line. It counts down while the service asks to wait. */
export function FormError({ error, text }: { error: unknown; text: (error: unknown, now: number) => string }) {
  const said = useClockText(now => text(error, now));
  return <Notice tone="bad">{said}</Notice>;
}
