import { Fragment } from "react";
import { declaredAt } from "../../editor/sample.ts";
import { docsOf, typesOf } from "../../forms/step/model.ts";
import { words } from "../../messages/en-inspector.ts";
import { InlineMarkdown, Markdown } from "../../ui/markdown.tsx";
import type { NodeType } from "../node-types.ts";
import styles from "./inspector.module.css";

const asText = (value: unknown) => JSON.stringify(value, null, 2);

/** The documentation of a step type, with its output and examples. */
export function DocsTab({ info }: { info: NodeType }) {
  const members = [...declaredAt(info.outputSchema, [])];
  return (
    <div className={styles.docs}>
      <Markdown text={info.docs} />
      {members.length > 0 ? (
        <section>
          <h3>{words.outputTitle}</h3>
          <dl className={styles.members}>
            {members.map(([name, schema]) => (
              <Fragment key={name}>
                <dt>
                  <code>{name}</code>
                </dt>
                <dd>
                  {typesOf(schema).join(" | ")} <InlineMarkdown text={docsOf(schema) ?? ""} />
                </dd>
              </Fragment>
            ))}
          </dl>
        </section>
      ) : null}
      {info.examples.map(({ title, data, sample }) => (
        <section key={title}>
          <h3>{title}</h3>
          <pre className={styles.code}>{asText(data)}</pre>
          {sample === null || sample === undefined ? null : (
            <>
              <p className={styles.quiet}>{words.gives}</p>
              <pre className={styles.code}>{asText(sample)}</pre>
            </>
          )}
        </section>
      ))}
    </div>
  );
}
