import { type Json, made } from "./api.ts";
import { resultsIn } from "./agents.ts";
import { type ModelResponse, callTools } from "./fake-models.ts";
import { untilEvent } from "./follow.ts";
import { answer, completes, type Scenario, type Stage } from "./scenario.ts";

const workspaceOf = ({ space }: Stage) => space.slice(0, space.indexOf("/spaces/"));

const created = (stage: Stage, path: string, body: object) => made(stage.api, `${workspaceOf(stage)}/${path}`, body);

/** A question to a knowledge base with these entries. They are found by keywords at once. */
const asks =
  (question: string, ...entries: string[]): Scenario["input"] =>
  async (_url, stage) => {
    const knowledgeBaseId = await created(stage, "knowledge-bases", { name: "Handbook" });
    for (const content of entries) {
      await created(stage, `knowledge-bases/${knowledgeBaseId}/entries`, { content, metadata: { page: 7 } });
    }
    return { question, knowledgeBaseId };
  };

/** Accepts the draft in the form, with a greeting added below. */
async function signTheDraft(path: string, { api }: Stage): Promise<void> {
  await untilEvent(api, path, "execution.suspended");
  const draft = (await api.get(path)).body.suspension.form.properties.text.default as string;
  const { status } = await api.patch(`${path}/respond`, { approved: true, data: { text: `${draft} Yours, Ada` } });
  if (status !== 200) throw new Error(`Answering gave ${status}`);
}

/** The response of a language model that only reads the lines of its input. It depends on the request. */
export function sayByLines(body: Json): ModelResponse {
  const { messages, tools, response_format: format } = body;
  if (tools) {
    const results = resultsIn(body);
    const isOrder = JSON.stringify(messages).includes("bell");
    if (results.length > 0 && isOrder) return `Report: ${results.join(" ")}`;
    return callTools(["order", { part: isOrder ? "bell" : "wheel" }]);
  }
  const asked = (messages as { content: string }[]).at(-1)!.content;
  const properties: object = format?.json_schema.schema.properties ?? {};
  if ("sources" in properties) {
    // A response that is not JSON fails a run that should not have asked the model.
    if (!/^\[1\] /m.test(asked)) return "There are no passages.";
    const line = /^\[(\d+)\] (.*gate.*)$/m.exec(asked);
    return JSON.stringify(line ? { answer: line[2], sources: [Number(line[1]), 99] } : { answer: null, sources: [] });
  }
  if ("facts" in properties) {
    const thing = /zeppelin|submarine/.exec(asked)?.[0];
    const fact = {
      content: `The user's ${thing} is broken`,
      type: "fact",
      eventDate: null,
      confidence: 1,
      quote: asked,
    };
    return JSON.stringify({ facts: [fact] });
  }
  return "decisions" in properties ? JSON.stringify({ decisions: [] }) : asked.split("\n").join(" ");
}

const DOCUMENTS = "document-question-answering";
const REPLY = "memory-aware-reply";

/** The expected behaviour of templates that use a language model, case by case. */
export const MODEL_TEMPLATE_SCENARIOS: Scenario[] = [
  {
    file: DOCUMENTS,
    says: "answers with the passages that say it",
    input: asks("When does the gate open?", "The gate opens at seven", "The cat sleeps all day, open or not"),
    then(ran) {
      const passage = "The gate opens at seven";
      completes({ found: true, answer: passage })(ran);
      const { sources } = ran.run.output;
      expect(sources).toEqual([
        { number: expect.any(Number), entryId: expect.any(String), passage, metadata: { page: 7 } },
      ]);
    },
  },
  {
    file: DOCUMENTS,
    says: "makes nothing up that the passages do not say",
    input: asks("When does the cat eat?", "The cat sleeps all day"),
    then: ({ run }) =>
      expect(run).toMatchObject({ status: "completed", output: { found: false, answer: null, sources: [] } }),
  },
  {
    file: DOCUMENTS,
    says: "asks no model where nothing is found",
    input: asks("When does the gate open?"),
    then({ run }) {
      expect(run).toMatchObject({ status: "completed", output: { found: false, answer: null, sources: [] } });
    },
  },
  {
    file: REPLY,
    says: "drafts with what is remembered, takes what was edited, and remembers more",
    async input(_url, stage) {
      await created(stage, "memories", { content: "The user orders zeppelin parts" });
      const { body } = await stage.api.get("/v1/auth/me");
      return { message: "My zeppelin is broken.", userId: body.id as string };
    },
    meanwhile: signTheDraft,
    then({ run }) {
      const { reply, ...output } = run.output;
      expect(output).toMatchObject({ state: "approved", told: true, learnt: ["The user's zeppelin is broken"] });
      expect(reply).toMatch(/- The user orders zeppelin parts .*My zeppelin is broken\. Yours, Ada$/);
    },
  },
  {
    file: REPLY,
    says: "is about whoever started it where no writer is named",
    async input(_url, stage) {
      await created(stage, "memories", { content: "The user owns a submarine" });
      return { message: "My submarine leaks." };
    },
    meanwhile: signTheDraft,
    then({ run }) {
      expect(run).toMatchObject({
        status: "completed",
        output: { state: "approved", told: false, learnt: ["The user's submarine is broken"] },
      });
      expect(run.output.reply).toMatch(/- The user owns a submarine .*My submarine leaks\. Yours, Ada$/);
    },
  },
  {
    file: REPLY,
    says: "gives no reply after a no",
    input: () => ({ message: "Hello?" }),
    meanwhile: answer({ approved: false }),
    then({ run }) {
      expect(run).toMatchObject({ status: "completed", output: { state: "rejected" } });
      expect(run.output).not.toHaveProperty("reply");
    },
  },
  {
    file: REPLY,
    says: "tells the owners when nobody approves",
    input: () => ({ message: "Hello?", answerWithinMs: 30 }),
    then: completes({ state: "unanswered", people: 1 }),
  },
];
