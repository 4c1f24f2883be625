import { runTexts } from "../messages/en-run.ts";
import { ScrollRegion } from "../ui/scroll-region.tsx";

/** From this length on, a text in the head of a run or a step may need more than a few lines, and scrolls. */
export const LONG_TEXT = 300;

interface ErrorTextProps {
  error: { code: string; message: string };
  className: string | undefined;
}

/** The error of a run or a step. A long one scrolls, because what it is about is below it. */
export function ErrorText({ error: { code, message }, className }: ErrorTextProps) {
  const text = (
    <>
      <code>{code}</code> {message}
    </>
  );
  if (message.length < LONG_TEXT) {
    return (
      <p className={className} role="note">
        {text}
      </p>
    );
  }
  return (
    <ScrollRegion className={className} label={runTexts.run.error}>
      {text}
    </ScrollRegion>
  );
}
