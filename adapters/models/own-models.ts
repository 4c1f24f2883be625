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
  /** Changes whenever anything in the credential changes. */
  state: string;
  server: ModelServer;
  chat: ChatModel;
}

/** The most models in memory, with the learnt habits of their servers and their queues. */
const MAX_KEPT = 200;

/**
 * Limits the running calls of this process. Each may have an answer of some MiB in memory. The share per group keeps a
 * slow provider of one workspace from delaying other workspaces.
 */
const UNDER_WAY = { atOnce: 250, atOncePerGroup: 50, waiting: 10_000 };

const stateOf = ({ data, hosts }: OpenedCredential) =>
  createHash("sha256")
    .update(JSON.stringify([data, hosts]))
    .digest("base64");

interface OwnModelsOptions {
  fetch: GuardedFetch["fetch"];
  /** Absent if no answer shall be streamed. */
  stream?: GuardedFetch["stream"] | undefined;
  check?: CheckJson | undefined;
  limits?: Partial<ServerLimits> | undefined;
}

/** The models of workspaces that bring their own provider. Each credential has its own queue. */
export class OwnModels {
  readonly #options: OwnModelsOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #underWay = new Gate(UNDER_WAY);

  constructor(options: OwnModelsOptions) {
    this.#options = options;
  }

  /** The model of a workspace's credential of the type `model`. Its id is empty if the credential names no model. */
  of(workspaceId: string, credential: OpenedCredential): ChatModel {
    const { id } = credential;
    const state = stateOf(credential);
    const kept = this.#kept.get(id);
    const current = kept?.state === state ? kept : this.#make(workspaceId, credential, state);
    this.#kept.delete(id);
    this.#kept.set(id, current);
    const [oldest] = this.#kept.keys();
    // Running calls of the dropped model continue.
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
