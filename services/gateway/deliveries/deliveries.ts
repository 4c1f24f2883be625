import { isUtf8 } from "node:buffer";
import type { ServiceBroker } from "moleculer";
import type { OutputOf } from "../../../contracts/actions.ts";
import type { Verdict } from "../../../contracts/actions/webhooks.ts";
import { call } from "../../../contracts/call.ts";
import { MAX_RAW_BYTES } from "../../../contracts/entities/webhook.ts";
import { AppError, ERRORS, notFound } from "../../../contracts/errors.ts";
import type { DeliveryFacts } from "../../../contracts/request.ts";
import type { RateLimits } from "../access/rate-limit.ts";
import { sourceAddress } from "../http/client-address.ts";
import { type Exchange, hasBody } from "../http/exchange.ts";
import { failureOf } from "../http/problem.ts";
import { UNTRUSTED_HEADERS } from "../http/security-headers.ts";
import type { GatewayConfig } from "../http/settings.ts";
import { ClientGone, DELIVERY, parseBody, readBytes, tooLarge } from "../request/body.ts";
import { queryFields } from "../request/delivery.ts";
import { completeInput, type Input, pathInput } from "../request/input.ts";
import type { RoutePlan } from "../request/route-plan.ts";
import type { DeliveryLog } from "./delivery-log.ts";

const VERIFY_TIMEOUT_MS = 5_000;

/** What the call of the action needs to know beside its input. */
export interface Admitted {
  facts: DeliveryFacts;
  deliveryId?: string | undefined;
  /** How long the webhook lets its sender wait, if it says so. */
  waitMs?: number | undefined;
}

type Trigger = (input: Input, admitted: Admitted) => Promise<OutputOf<"webhooks.trigger">>;

export interface DeliveryParts {
  broker: ServiceBroker;
  limits: RateLimits;
  log: DeliveryLog;
  config: GatewayConfig;
}

/** What became of a delivery, for its webhook's list. */
interface Outcome {
  workspaceId?: string | undefined;
  reason?: string | undefined;
}

/** Takes the deliveries of webhooks: recognises the sender, reads the body, and starts the run. */
export class Deliveries {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** @throws {AppError} invalid_webhook_secret, not_found, rate_limited, or an error of the body or the action */
  async take(x: Exchange, plan: RoutePlan, segments: string[], trigger: Trigger): Promise<void> {
    const input = pathInput(plan.path, segments);
    const outcome: Outcome = {};
    try {
      const executionId = await this.#answer(x, plan, input, outcome, trigger);
      this.#note(x, input, outcome, x.res.statusCode, executionId);
    } catch (error) {
      const { code } = failureOf(error);
      const reason = outcome.reason ?? code;
      if (!(error instanceof ClientGone)) this.#note(x, input, { ...outcome, reason }, ERRORS[code].status, null);
      throw error;
    }
  }

  async #answer(x: Exchange, plan: RoutePlan, input: Input, outcome: Outcome, trigger: Trigger) {
    this.#parts.limits.mayAuthenticate(x);
    let bytes: Buffer | undefined;
    let verdict = await this.#verify(x, input, outcome);
    if (verdict.needsBody) {
      bytes = await this.#read(x);
      verdict = await this.#verify(x, input, outcome, bytes ?? Buffer.alloc(0));
    }
    this.#admit(x, input, verdict);
    const { handshake, pass, deliveryId, waitMs, keepRaw } = verdict;
    if (handshake) {
      x.send(handshake.status, handshake.headers["content-type"], handshake.body, UNTRUSTED_HEADERS);
      return null;
    }
    bytes ??= await this.#read(x);
    const { method = "POST" } = x.req;
    const body = method === "GET" ? queryFields(x.search) : parseBody(x, bytes, DELIVERY);
    completeInput(input, plan, { search: x.search, headers: x.req.headers, body });
    if (waitMs !== undefined) delete input.waitMs;
    const facts: DeliveryFacts = {
      ...(pass !== undefined && { pass }),
      ...(method !== "POST" && { method }),
      ...(keepRaw && { rawBody: rawText(bytes) }),
    };
    const { execution } = await trigger(input, { facts, deliveryId, waitMs });
    return execution.id;
  }

  async #verify(x: Exchange, { id, token }: Input, outcome: Outcome, body?: Buffer): Promise<Verdict> {
    const { headers, method = "" } = x.req;
    const given = headers["x-webhook-secret"];
    const single = Object.entries(headers).filter(
      (header): header is [string, string] => typeof header[1] === "string",
    );
    const asked = {
      id: String(id),
      secret: typeof given === "string" ? given : "",
      method,
      headers: Object.fromEntries(single),
      search: x.search,
      ...(typeof token === "string" && { token }),
      ...(body && { body: body.toString("base64") }),
    };
    const options = { timeout: VERIFY_TIMEOUT_MS, requestID: x.requestId };
    const verdict = await call(this.#parts.broker, "webhooks.verify", asked, options);
    outcome.workspaceId = verdict.workspaceId;
    outcome.reason = verdict.reason;
    return verdict;
  }

  #admit(x: Exchange, { id }: Input, { valid, refused, methods }: Verdict): void {
    const { limits } = this.#parts;
    if (!valid && refused === undefined) {
      limits.unauthenticated(x);
      throw new AppError("invalid_webhook_secret");
    }
    limits.caller(x, `webhook ${String(id)}`);
    if (refused === "disabled") throw notFound("webhook");
    if (refused === "method") throw new AppError("method_not_allowed", { allow: methods ?? [] });
  }

  #read(x: Exchange): Promise<Buffer | undefined> {
    if (x.req.method === "GET" || !hasBody(x.req)) return Promise.resolve(undefined);
    return readBytes(x, this.#parts.config.MAX_BODY_BYTES, DELIVERY);
  }

  #note(
    x: Exchange,
    { id }: Input,
    { workspaceId, reason }: Outcome,
    status: number,
    executionId: string | null,
  ): void {
    // Deliveries to webhooks that do not exist are noted nowhere.
    if (workspaceId === undefined) return;
    const { log, config } = this.#parts;
    log.add({
      ...{ workspaceId, webhookId: String(id), at: new Date().toISOString() },
      ...{ address: sourceAddress(x.req, config.TRUST_PROXY), method: x.req.method ?? "", status },
      ...{ executionId, reason: reason ?? null },
    });
  }
}

/**
 * The body as it came, as text. Its UTF-8 is the body again.
 * @throws {AppError} payload_too_large, or unsupported_media_type when the body is not UTF-8
 */
function rawText(bytes: Buffer = Buffer.alloc(0)): string {
  if (bytes.length > MAX_RAW_BYTES) throw tooLarge(MAX_RAW_BYTES);
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new AppError("unsupported_media_type", {
    detail: "The body is not UTF-8, so this webhook cannot keep it as it came.",
  });
}
