import { Fragment, type ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./markdown.module.css";

const INLINE = /\[([^\]]+)\]\(([^)\s]+)\)|`([^`]+)`|\*\*([^*]+)\*\*|\*(\S[^*]*)\*/g;

/** Links in the documentation are relative to `/docs/`. Addresses that could run scripts return undefined. */
function hrefOf(target: string): string | undefined {
  if (/^https?:\/\//.test(target)) return target;
  if (/^[a-z][a-z0-9+.-]*:/i.test(target) || target.startsWith("//")) return undefined;
  return target.startsWith("/") ? target : `/docs/${target.replace(/\.md(?=#|$)/, "")}`;
}

function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    const [whole, label, target, code, strong, emphasis] = found;
    parts.push(text.slice(at, found.index));
    at = found.index + whole.length;
    const href = target === undefined ? undefined : hrefOf(target);
    if (code !== undefined) parts.push(<code key={at}>{code}</code>);
    else if (strong !== undefined) parts.push(<strong key={at}>{strong}</strong>);
    else if (emphasis !== undefined) parts.push(<em key={at}>{emphasis}</em>);
    else if (href === undefined) parts.push(label);
    else {
      parts.push(
        <a key={at} href={href} target="_blank" rel="noreferrer">
          {inline(label ?? "").map((part, n) => (
            <Fragment key={n}>{part}</Fragment>
          ))}
        </a>,
      );
    }
  }
  return [...parts, text.slice(at)];
}

/** A message with names in backticks. Other marks stay, because the message may quote a value. */
export const WithCode = ({ text }: { text: string }) =>
  text.split(/`([^`]+)`/).map((part, n) => (n % 2 === 0 ? part : <code key={n}>{part}</code>));

/** One line of Markdown: code, bold text and links. */
export const InlineMarkdown = ({ text }: { text: string }) => (
  <span className={styles.inline}>
    {inline(text).map((part, n) => (
      <Fragment key={n}>{part}</Fragment>
    ))}
  </span>
);

function blockOf(text: string, key: number): ReactNode {
  if (text.startsWith("```")) {
    const code = text.replace(/^```.*\n?/, "").replace(/\n?```$/, "");
    return (
      <pre key={key} className={styles.code}>
        {code}
      </pre>
    );
  }
  const lines = text.split("\n");
  if (lines.every(line => /^\s*[-*] |^\s{2,}/.test(line))) {
    const items = text.split(/\n(?=\s*[-*] )/).map(item => item.replace(/^\s*[-*] /, ""));
    return (
      <ul key={key} className={styles.list}>
        {items.map((item, n) => (
          <li key={n}>{inline(item)}</li>
        ))}
      </ul>
    );
  }
  const heading = /^#{1,6} (.*)$/.exec(lines[0]!);
  return heading ? <h3 key={key}>{inline(heading[1]!)}</h3> : <p key={key}>{inline(text)}</p>;
}

/** Markdown without HTML: paragraphs, headings, lists and code. */
export const Markdown = ({ text, className }: { text: string; className?: string }) => (
  <div className={cx(styles.text, className)}>{text.split(/\n{2,}(?![^`]*\n```(?:\n|$))/).map(blockOf)}</div>
);
