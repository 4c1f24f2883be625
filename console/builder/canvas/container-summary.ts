import { words } from "../../messages/en-builder.ts";
import { dataOf, type RawNode } from "../document/index.ts";

const MAX_TEXT = 60;

/**
 * The text in the header of a container: what it iterates over, and how many passes run at once. Empty if neither is
 * set.
 */
export function containerSummary(node: RawNode): string {
  const { items, concurrency } = dataOf(node);
  const over =
    typeof items === "string"
      ? items
          .replaceAll(/\{\{|\}\}/g, "")
          .trim()
          .slice(0, MAX_TEXT)
      : "";
  const atOnce = typeof concurrency === "number" ? words.atOnce(concurrency) : "";
  return [over, atOnce].filter(Boolean).join(" · ");
}
