import { Link } from "@tanstack/react-router";
import { type SyntheticEvent, useState } from "react";
import type { Webhook } from "../../../sdk/definition.ts";
import { jsonOf } from "../../data/json-text.ts";
import { runPath } from "../../data/paths.ts";
import { problemOf } from "../../data/problem.ts";
import { useTestWebhook } from "../../data/triggers.ts";
import { answerTexts } from "../../messages/en-answers.ts";
import { triggers as words } from "../../messages/en-triggers.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { TextArea } from "../../ui/field.tsx";
import { ProblemNotice } from "../../ui/states.tsx";
import styles from "./webhooks.module.css";

/** Starts a run as a delivery with this body would, and shows the answer that its sender would get. */
export function TestDelivery({ webhook: { id, spaceId } }: { webhook: Pick<Webhook, "id" | "spaceId"> }) {
  const { id: workspaceId, slug } = useWorkspace();
  const [text, setText] = useState("{}");
  const [isBad, setBad] = useState(false);
  const test = useTestWebhook(workspaceId);
  const { data, error } = test;
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const body = jsonOf(text);
    setBad(!body);
    if (body) test.mutate({ at: { id, spaceId }, input: body.value });
  };
  return (
    <form className={styles.test} onSubmit={submit} noValidate>
      <TextArea
        code
        label={words.webhooks.testBody}
        error={isBad ? words.schedules.inputBad : undefined}
        rows={3}
        spellCheck={false}
        value={text}
        onChange={event => {
          setText(event.target.value);
          setBad(false);
        }}
      />
      {error ? <ProblemNotice problem={problemOf(error)} /> : null}
      <div className={styles.acts}>
        <Button type="submit" busy={test.isPending}>
          {words.webhooks.test}
        </Button>
        <p className={styles.tested} role="status">
          {data ? (
            <>
              {words.webhooks.tested(data.status)}{" "}
              <Link to={runPath(slug, { spaceId, id: data.executionId })} className={styles.link}>
                {answerTexts.question.details}
              </Link>
            </>
          ) : null}
        </p>
      </div>
    </form>
  );
}
