import type { ServiceBroker } from "moleculer";
import type { OutputOf } from "../../../contracts/actions.ts";
import type { Verdict } from "../../../contracts/actions/webhooks.ts";
import { call } from "../../../contracts/call.ts";
import { AppError, ERRORS, notFound } from "../../../contracts/errors.ts";
import type { DeliveryFacts } from "../../../contracts/request.ts";
import type { Files } from "../../../service-kit/files.ts";
import type { RateLimits } from "../access/rate-limit.ts";
import { sourceAddress } from "../http/client-address.ts";
import type { Exchange } from "../http/exchange.ts";
import { failureOf } from "../http/problem.ts";
import { UNTRUSTED_HEADERS } from "../http/security-headers.ts";
import type { GatewayConfig } from "../http/settings.ts";
import { ClientGone } from "../request/body.ts";
import { completeInput, type Input, pathInput } from "../request/input.ts";
import type { RoutePlan } from "../request/route-plan.ts";
import { deliveryBody } from "./delivery-body.ts";
import type { DeliveryLog } from "./delivery-log.ts";

const VERIFY_TIMEOUT_MS = 5_000;
/** Verifying a stored body reads it as a whole. */
const VERIFY_STORED_MS = 60_000;

/** What the action needs in addition to its input. */
export interface Admitted {
  facts: DeliveryFacts;
  /** A digest of the input, if it contains files. */
  sha256?: string | undefined;
  deliveryId?: string | undefined;
  /** How long the webhook lets its sender wait, if it sets that. */
  waitMs?: number | undefined;
}

type Trigger = (input: Input, admitted: Admitted) => Promise<OutputOf<"webhooks.trigger">>;

export interface DeliveryParts {
  broker: ServiceBroker;
  limits: RateLimits;
  log: DeliveryLog;
  files: Files;
  config: GatewayConfig;
}

/** The outcome of a delivery, for the list of its webhook. */
interface Outcome {
  workspaceId?: string | undefined;
  reason?: string | undefined;
}

/** Handles the deliveries of webhooks: verifies the sender, reads the body, and starts the run. */
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
    const body = deliveryBody(x, this.#parts.config, this.#parts.files);
    try {
      let verdict = await this.#verify(x, input, outcome);
      if (verdict.needsBody) verdict = await this.#verify(x, input, outcome, await body.proof(workspaceOf(verdict)));
      this.#admit(x, input, verdict);
      const { handshake, deliveryId, waitMs } = verdict;
      if (handshake) {
        x.send(handshake.status, handshake.headers["content-type"], handshake.body, UNTRUSTED_HEADERS);
        return null;
      }
      const { value, sha256, rawBody } = await body.take(workspaceOf(verdict), verdict.keepRaw ?? false);
      completeInput(input, plan, { search: x.search, headers: x.req.headers, body: value });
      if (waitMs !== undefined) delete input.waitMs;
      const { execution } = await trigger(input, { facts: factsOf(x, verdict, rawBody), sha256, deliveryId, waitMs });
      return execution.id;
    } finally {
      body.close();
    }
  }

  async #verify(x: Exchange, { id, token }: Input, outcome: Outcome, proof: object = {}): Promise<Verdict> {
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
      ...proof,
    };
    const timeout = "stored" in proof ? VERIFY_STORED_MS : VERIFY_TIMEOUT_MS;
    const options = { timeout, requestID: x.requestId };
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

  #note(
    x: Exchange,
    { id }: Input,
    { workspaceId, reason }: Outcome,
    status: number,
    executionId: string | null,
  ): void {
    // Deliveries to webhooks that do not exist are not recorded.
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
 * The workspace of an existing webhook.
 * @throws {AppError} invalid_webhook_secret for any other
 */
function workspaceOf({ workspaceId }: Verdict): string {
  if (workspaceId === undefined) throw new AppError("invalid_webhook_secret");
  return workspaceId;
}

/** What the action receives about the delivery in addition to its input. */
const factsOf = ({ req: { method = "POST" } }: Exchange, { pass }: Verdict, rawBody?: string): DeliveryFacts => ({
  ...(pass !== undefined && { pass }),
  ...(method !== "POST" && { method }),
  ...(rawBody !== undefined && { rawBody }),
});
