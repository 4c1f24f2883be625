import { credentialFor } from "../credentials.ts";
import { below, hasRun, stepPlace } from "../flow.ts";
import type { NodeKind } from "../kind.ts";
import { wholeExpression } from "../parameter.ts";
import { objectAt, textAt, type Translation } from "../translation.ts";
import { shown, Untranslatable } from "../untranslatable.ts";
import type { N8nNode } from "../workflow.ts";

const POST = "https://slack.com/api/chat.postMessage";

/** The channel or person that receives a message. n8n stores it in an object that also says how it was chosen. */
function receiverOf({ parameters }: N8nNode, t: Translation): unknown {
  const given =
    textAt(parameters.select, "channel") === "user" ? parameters.user : (parameters.channelId ?? parameters.channel);
  const named = objectAt(given);
  const value = named.value ?? given;
  if (typeof value !== "string" || value === "") throw new Untranslatable("a message without a channel");
  const isName = named.mode === "name" && !/^[#=]/.test(value);
  return t.template(isName ? `#${value}` : value);
}

/** The blocks of a message as JSON. */
function blocksOf({ parameters }: N8nNode, t: Translation): unknown {
  const given = parameters.blocksUi;
  const whole = wholeExpression(given);
  if (whole !== null) return t.template(whole);
  try {
    const read: unknown = JSON.parse(textAt(given, ""));
    return t.template((read as { blocks?: unknown }).blocks ?? read);
  } catch {
    throw new Untranslatable("blocks that are not JSON");
  }
}

/** Sends a message to a channel or a person. Other operations of Slack have no counterpart. */
export const slack: NodeKind = {
  translate(node, t) {
    const { parameters } = node;
    const resource = textAt(parameters.resource, "message");
    const operation = textAt(parameters.operation, "post");
    if (resource !== "message" || operation !== "post")
      throw new Untranslatable(`the operation "${shown(`${resource} ${operation}`)}" of Slack`);
    const type = textAt(parameters.messageType, "text");
    if (type !== "text" && type !== "block") throw new Untranslatable(`a message of the kind "${shown(type)}"`);
    const thread = objectAt(parameters, "otherOptions", "thread_ts", "replyValues").thread_ts;
    t.warn("Slack answers 200 with `ok: false` when it refuses a message: check `body.ok` where that matters.");
    if (!node.credentials) t.warn("Choose a credential of the type `bearer` with the token of your Slack app.");
    return {
      type: "http",
      data: {
        method: "POST",
        url: POST,
        credential: credentialFor(node, "bearer"),
        body: {
          channel: receiverOf(node, t),
          text: t.template(parameters.text ?? ""),
          ...(type === "block" && { blocks: blocksOf(node, t) }),
          ...(thread !== undefined && { thread_ts: t.template(thread) }),
        },
      },
    };
  },
  gives({ name }, flows) {
    const id = flows.idOf(name);
    return { ...below(stepPlace(id), "body"), guard: hasRun(id), list: false };
  },
};
