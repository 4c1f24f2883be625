import { isRecord } from "../../data/json.ts";
import type { ToolResult } from "../../data/tools.ts";
import { JsonView } from "../../json/json-view.tsx";
import { words } from "../../messages/en-tools.ts";
import { durationText } from "../../messages/time.ts";
import { Status } from "../../ui/status.tsx";
import { ScrollRegion } from "../../ui/scroll-region.tsx";
import styles from "./server.module.css";

/** The text of a result that contains only text. */
function textOf({ content, structuredContent }: ToolResult): string | undefined {
  if (structuredContent !== undefined) return undefined;
  const texts = content.map(part => (isRecord(part) && typeof part.text === "string" ? part.text : undefined));
  return texts.every(text => text !== undefined) ? texts.join("\n") : undefined;
}

/** The result of a tool call. */
export function CallResult({ result, tookMs, name }: { result: ToolResult; tookMs: number; name: string }) {
  const text = textOf(result);
  return (
    <section className={styles.result} aria-label={words.tool.result}>
      <div className={styles.resultHead} role="status">
        <Status status={result.isError ? "failed" : "completed"}>
          {result.isError ? words.tool.failedResult : words.tool.took(durationText(tookMs))}
        </Status>
      </div>
      {text === undefined ? (
        <div className={styles.json}>
          <JsonView value={result.structuredContent ?? result.content} root="result" name={name} />
        </div>
      ) : (
        <ScrollRegion as="pre" className={styles.code} label={words.tool.result}>
          {text}
        </ScrollRegion>
      )}
    </section>
  );
}
