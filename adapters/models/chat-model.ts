import { counter } from "../../telemetry/instruments.ts";
import { checkForm, type FormCheck } from "../../core/forms/check-form.ts";
import { adaptedDialect, type ChatDialect, FIRST_DIALECT, isLasting } from "./chat-dialect.ts";
import { jsonIn } from "./json-answer.ts";
import { ModelError } from "./model-error.ts";
import { ServerRefusal } from "./model-server.ts";
import type { ChatAnswer, ChatMessage, ChatModel, ChatRequest } from "./port.ts";
import { refusesTools } from "./tool-calls.ts";
import { readChoice, withoutTools } from "./tool-choice.ts";
import type { Wire } from "./wire.ts";

/** Checks data against a schema. The check may run in another process, because a schema's patterns may take forever. */
export type CheckJson = (schema: unknown, data: unknown, group: string) => FormCheck | Promise<FormCheck>;

const tokens = counter("weft_model_tokens_total");

const MAX_MODELS = 100;
const MAX_ADAPTATIONS = 4;
const MAX_SHOWN_FAULTS = 10;
/** The maximum length of an answer that is sent back for repair. */
const MAX_REPAIR_CHARS = 20_000;
/** The maximum length of a server's words in an error message. */
const MAX_WORDS = 1_000;

type Read = { json: unknown; faults?: undefined } | { faults: string };

const schemaText = (schema: unknown) =>
  `Answer with JSON alone, without any other word. It has to be valid against this JSON Schema:\n${JSON.stringify(schema)}`;

const repairText = (faults: string, schema: unknown) =>
  `That answer cannot be used: ${faults}\nGive the whole answer again, corrected. ${schemaText(schema)}`;

function sum(a: ChatAnswer["usage"], b: ChatAnswer["usage"]): ChatAnswer["usage"] {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}

/**
 * A language model behind one of the protocols. It adapts to the features that the server supports, and checks answers
 * against schemas.
 */
export class WiredChat implements ChatModel {
  readonly id: string;
  readonly #wire: Wire;
  readonly #check: CheckJson;
  readonly #habits = new Map<string, ChatDialect>();

  constructor(wire: Wire, model: string, check: CheckJson = checkForm) {
    this.#wire = wire;
    this.#check = check;
    this.id = model;
  }

  async chat(request: ChatRequest): Promise<ChatAnswer> {
    if (!request.tools?.length) return this.#answer(request);
    const model = request.model ?? this.id;
    if (this.#habitsOf(model).tools) {
      try {
        return await this.#ask(request, request.messages);
      } catch (error) {
        if (!(error instanceof ServerRefusal) || !refusesTools(error)) throw error;
        if (isLasting(error)) this.#remember(model, { ...this.#habitsOf(model), tools: false });
      }
    }
    return readChoice(await this.#answer(withoutTools(request)));
  }

  #habitsOf(model: string): ChatDialect {
    return this.#habits.get(model) ?? FIRST_DIALECT;
  }

  async #answer(request: ChatRequest): Promise<ChatAnswer> {
    const first = await this.#ask(request, request.messages);
    if (!request.schema) return first;
    const read = await this.#read(request, first.text);
    if (read.faults === undefined) return { ...first, json: read.json };

    const answer: ChatMessage = { role: "assistant", content: first.text.slice(0, MAX_REPAIR_CHARS) || "(nothing)" };
    const repair: ChatMessage = { role: "user", content: repairText(read.faults, request.schema) };
    const second = await this.#ask(request, [...request.messages, answer, repair]);
    const again = await this.#read(request, second.text);
    if (again.faults !== undefined) {
      throw new ModelError(
        "model_bad_output",
        `The answer of the model does not match the schema, even after a correction: ${again.faults}`,
      );
    }
    return { text: second.text, json: again.json, usage: sum(first.usage, second.usage) };
  }

  async #read({ schema, group = "" }: ChatRequest, text: string): Promise<Read> {
    const found = jsonIn(text);
    if (!found) return { faults: "it holds no complete JSON." };
    const { faults, broken } = await this.#check(schema, found.json, group);
    if (broken !== undefined) throw new ModelError("model_bad_output", `The schema cannot be used: ${broken}`);
    if (faults.length === 0) return found;
    // The paths of the faults begin with `data`.
    return {
      faults: faults
        .slice(0, MAX_SHOWN_FAULTS)
        .map(({ path, message }) => `${path}: ${message}`)
        .join(" "),
    };
  }

  async #ask(request: ChatRequest, messages: readonly ChatMessage[]): Promise<ChatAnswer> {
    const model = request.model ?? this.id;
    let habits = this.#habitsOf(model);
    for (let adaptations = 0; ; adaptations++) {
      try {
        return await this.#call(model, habits, request, messages);
      } catch (error) {
        const next = error instanceof ServerRefusal ? adaptedDialect(habits, error, request) : undefined;
        if (!next || adaptations >= MAX_ADAPTATIONS) throw error;
        habits = next;
        if (isLasting(error as ServerRefusal)) this.#remember(model, next);
      }
    }
  }

  #remember(model: string, habits: ChatDialect): void {
    if (this.#habits.size >= MAX_MODELS) this.#habits.clear();
    this.#habits.set(model, habits);
  }

  async #call(
    model: string,
    habits: ChatDialect,
    request: ChatRequest,
    messages: readonly ChatMessage[],
  ): Promise<ChatAnswer> {
    const { schema } = request;
    const told = schema && habits.format !== "json_schema" ? schemaText(schema) : undefined;
    const system = [request.system, told].filter(Boolean).join("\n\n") || undefined;
    const answer = await this.#wire({ ...request, model, messages, system, habits });
    const { text, toolCalls = [], usage, end, uncounted } = answer;
    // Quotas count tokens. So the next answers are requested in one piece, which includes the token count.
    if (uncounted) this.#remember(model, { ...habits, streams: false });
    if (end === "refused")
      throw new ModelError(
        "model_refused",
        `The model refused to answer${text ? `: ${text.slice(0, MAX_WORDS)}` : ""}`,
      );
    if (!text && toolCalls.length === 0 && end === "length")
      throw new ModelError("model_bad_output", "The model used up its tokens before it answered: raise maxTokens");
    tokens("chat", "input").add(usage.inputTokens);
    tokens("chat", "output").add(usage.outputTokens);
    return { text, ...(toolCalls.length > 0 && { toolCalls }), usage };
  }
}
