import { createHash } from "node:crypto";
import { modelAddress, providerOf } from "../../contracts/credentials/model-providers.ts";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { type CredentialData, secretValues } from "../../contracts/credentials/types.ts";
import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import type { GuardedFetch } from "../net/port.ts";
import { Gate } from "../processes/gate.ts";
import { type CheckJson, WiredChat } from "./chat-model.ts";
import { CHAT_LIMITS } from "./limits.ts";
import { ModelServer, type ServerLimits } from "./model-server.ts";
import type { ChatModel } from "./port.ts";
import { PROVIDERS } from "./providers.ts";
import { guardedTransport } from "./transport.ts";

interface Kept {
  /** Changes with everything that the credential holds. */
  state: string;
  server: ModelServer;
  chat: ChatModel;
}

/** The most models in memory, with the learnt options of their servers and their queues. */
const MAX_KEPT = 200;

/**
 * The calls of this process that are under way. Each may have an answer of some MiB in memory. A slow provider of one
 * workspace holds its own share of them and no more, so it keeps no other workspace waiting.
 */
const UNDER_WAY = { atOnce: 250, atOncePerGroup: 50, waiting: 10_000 };

const stateOf = ({ data, hosts }: OpenedCredential) =>
  createHash("sha256")
    .update(JSON.stringify([data, hosts]))
    .digest("base64");

interface OwnModelsOptions {
  fetch: GuardedFetch["fetch"];
  /** Without it, no answer is streamed. */
  stream?: GuardedFetch["stream"] | undefined;
  check?: CheckJson | undefined;
  limits?: Partial<ServerLimits> | undefined;
}

/** The models of workspaces that bring their own provider. Each credential has a queue of its own. */
export class OwnModels {
  readonly #options: OwnModelsOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #underWay = new Gate(UNDER_WAY);

  constructor(options: OwnModelsOptions) {
    this.#options = options;
  }

  /** The model of a credential of a workspace, of the type `model`. Its id is empty where the credential names no model. */
  of(workspaceId: string, credential: OpenedCredential): ChatModel {
    const { id } = credential;
    const state = stateOf(credential);
    const kept = this.#kept.get(id);
    const current = kept?.state === state ? kept : this.#make(workspaceId, credential, state);
    this.#kept.delete(id);
    this.#kept.set(id, current);
    const [oldest] = this.#kept.keys();
    // Calls that are under way there go on.
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return current.chat;
  }

  #make(workspaceId: string, { type, data: given, hosts }: OpenedCredential, state: string): Kept {
    const data = given as CredentialData<"model">;
    const { check, limits } = this.#options;
    const provider = PROVIDERS[providerOf(data)];
    const server = new ModelServer(
      {
        baseUrl: modelAddress(data),
        headers: data.apiKey === undefined ? {} : provider.headers(data.apiKey),
        mask: maskerOf(secretValues(type, given)),
      },
      { ...CHAT_LIMITS, ...limits },
      guardedTransport(
        this.#options,
        url => isAllowedHost(hosts, url),
        (call, signal) => this.#underWay.run(workspaceId, call, signal),
      ),
    );
    return { state, server, chat: new WiredChat(provider.wire(server), data.model ?? "", check) };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept.values()].map(({ server }) => server.close()));
  }
}
