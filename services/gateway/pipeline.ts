import { randomUUID } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OutputOf } from "../../contracts/actions.ts";
import { call, type Meta } from "../../contracts/call.ts";
import { ERRORS } from "../../contracts/errors.ts";
import type { FileUpload } from "../../contracts/routes.ts";
import type { Files } from "../../service-kit/files.ts";
import { type Warn, throttledWarn } from "../../service-kit/throttled-warn.ts";
import { ClientGone, JSON_ONLY, parseBody, readBytes } from "./request/body.ts";
import { Callers } from "./access/callers.ts";
import { sourceAddress } from "./http/client-address.ts";
import { ConsolePages } from "./console/console.ts";
import { Cors } from "./access/cors.ts";
import { type Admitted, Deliveries } from "./deliveries/deliveries.ts";
import { DeliveryLog } from "./deliveries/delivery-log.ts";
import { Exchange, NO_ROUTE } from "./http/exchange.ts";
import type { OwnTarget, Target } from "./targets.ts";
import { completeInput, type Input, pathInput } from "./request/input.ts";
import type { OpenConnections } from "./access/open-connections.ts";
import { checkSameOrigin } from "./access/same-origin.ts";
import { guessedAccount } from "./access/guess-limits.ts";
import { failureOf, problemHeaders, problemOf } from "./http/problem.ts";
import { RateLimits } from "./access/rate-limit.ts";
import { keyScope, requestHeaders } from "./request/request-headers.ts";
import { RequestObserver } from "./http/request-observer.ts";
import { respond } from "./request/respond.ts";
import type { RoutePlan } from "./request/route-plan.ts";
import type { Router } from "./request/router.ts";
import { TLS_HEADERS } from "./http/security-headers.ts";
import { authorizationCookie } from "./http/authorization-cookie.ts";
import { sessionCookie } from "./http/session-cookie.ts";
import type { GatewayConfig } from "./http/settings.ts";
import { passResumeGate } from "./resume-gate.ts";
import { resumePage } from "./resume-page.ts";
import { FormRequest } from "./request/form-request.ts";
import { isMultipart } from "./request/incoming-files.ts";
import { isAnswered } from "./request/is-answered.ts";
import { discard, fileInput, hashFile, receiveFile, typesOf, uploadOf } from "./request/upload.ts";

/** A margin, so that the caller gets a response even if the run takes as long as the wait. */
const WAIT_MARGIN_MS = 10_000;

export interface PipelineParts {
  broker: ServiceBroker;
  logger: ServiceBroker["logger"];
  config: GatewayConfig;
  router: Router<Target>;
  uses: OpenConnections;
  files: Files;
}

/** What a call needs to know about its request in addition to the input. */
interface Facts {
  /** The hash of the file, if the body is a file. */
  sha256?: string | undefined;
  delivery?: Admitted;
}

/** Handles a request from its first byte to its response. */
export class Pipeline {
  readonly #broker: ServiceBroker;
  readonly #files: Files;
  readonly #logger: ServiceBroker["logger"];
  readonly #config: GatewayConfig;
  readonly #router: Router<Target>;
  readonly #console: ConsolePages | undefined;
  readonly #cors: Cors;
  readonly #limits: RateLimits;
  readonly #callers: Callers;
  readonly #deliveryLog: DeliveryLog;
  readonly #deliveries: Deliveries;
  readonly #observer: RequestObserver;
  readonly #warn: Warn;

  constructor({ broker, logger, config, router, uses, files }: PipelineParts) {
    this.#broker = broker;
    this.#files = files;
    this.#logger = logger;
    this.#config = config;
    this.#router = router;
    this.#console = config.CONSOLE ? new ConsolePages() : undefined;
    this.#cors = new Cors(config.CORS_ORIGINS);
    this.#limits = new RateLimits(config);
    this.#callers = new Callers(broker, this.#limits, uses, config.TRUST_PROXY);
    this.#deliveryLog = new DeliveryLog(broker, logger);
    this.#deliveries = new Deliveries({ broker, config, files, limits: this.#limits, log: this.#deliveryLog });
    this.#observer = new RequestObserver(logger, config.LOG_REQUESTS);
    this.#warn = throttledWarn(logger);
  }

  /** Stores the entries that are still in memory. */
  close(): Promise<void> {
    return this.#deliveryLog.flush();
  }

  handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const x = new Exchange(req, res);
    return this.#observer.observe(x, () => this.#answer(x));
  }

  async #answer(x: Exchange): Promise<void> {
    const { req } = x;
    try {
      if (this.#config.TRUST_PROXY && req.headers["x-forwarded-proto"] === "https") x.headers.push(...TLS_HEADERS);
      if (this.#cors.apply(x)) return;
      if (this.#console?.answer(x)) return;
      const { target, segments } = this.#router.find(req.method ?? "GET", x.path);
      x.route = "own" in target ? target.own.route : target.route.path;
      x.page = resumePage(x, this.#broker);
      if ("own" in target) await this.#answerByself(x, target.own, segments);
      else await this.#callAction(x, target.plan(), segments);
    } catch (error) {
      await this.#fail(x, error);
    }
  }

  async #answerByself(x: Exchange, own: OwnTarget, segments: string[]): Promise<void> {
    if (!own.public) await this.#callers.authenticate(x);
    else if (own.limited) this.#limits.stranger(x, false);
    const input = own.query(pathInput(own.path, segments), { search: x.search, headers: x.req.headers });
    await passResumeGate(x, input, this.#broker, this.#limits);
    await own.answer(x, input, this.#callers);
  }

  async #callAction(x: Exchange, plan: RoutePlan, segments: string[]): Promise<void> {
    const { route } = plan;
    if (route.browser) checkSameOrigin(x.req, this.#config.PUBLIC_URL);
    if (route.delivery) {
      return this.#deliveries.take(x, plan, segments, (input, admitted) =>
        this.#call<OutputOf<"webhooks.trigger">>(x, plan, input, { delivery: admitted, sha256: admitted.sha256 }),
      );
    }
    if (plan.public) this.#limits.stranger(x, route.guessable);
    else await this.#callers.authenticate(x);
    const input = pathInput(plan.path, segments);
    const read = await passResumeGate(x, input, this.#broker, this.#limits, () =>
      readBytes(x, this.#config.MAX_BODY_BYTES, JSON_ONLY, typesOf(route)),
    );
    const upload = uploadOf(x, route);
    if (upload) return this.#callWithFile(x, plan, upload, fileInput(x, input));
    if (route.formInto !== undefined && isMultipart(x.req.headers["content-type"]))
      return this.#callWithForm(x, plan, route.formInto, input);
    const body = route.method === "GET" ? undefined : parseBody(x, await read(), JSON_ONLY);
    await this.#callers.recheck(x);
    completeInput(input, plan, { search: x.search, headers: x.req.headers, body });
    if (route.guessable) await this.#limits.account(x, guessedAccount(x, input), this.#knowsAddress(x));
    await this.#call(x, plan, input);
  }

  async #callWithForm(x: Exchange, plan: RoutePlan, into: string, input: Input): Promise<void> {
    const meta = this.#metaOf(x);
    const form = new FormRequest(x, { broker: this.#broker, files: this.#files, config: this.#config, meta });
    try {
      const { body, sha256 } = await form.read(plan, into, String(input.workspaceId));
      await this.#callers.recheck(x);
      completeInput(input, plan, { search: x.search, headers: x.req.headers, body });
      await this.#call(x, plan, input, { sha256 });
    } finally {
      form.close();
    }
  }

  async #callWithFile(x: Exchange, plan: RoutePlan, upload: FileUpload, input: Input): Promise<void> {
    const to = {
      broker: this.#broker,
      files: this.#files,
      meta: this.#metaOf(x),
      address: sourceAddress(x.req, this.#config.TRUST_PROXY),
      limit: upload.append ? this.#config.MAX_UPLOAD_BYTES : this.#config.MAX_FILE_BYTES,
    };
    if (await isAnswered(this.#broker, keyScope(x, plan, this.#config.TRUST_PROXY))) {
      // The response is stored already, so no space is reserved, and the file is read only to compare its hash.
      const sha256 = await hashFile(x, to.limit);
      await this.#callers.recheck(x);
      await this.#call(x, plan, { ...input, upload: randomUUID() }, { sha256 });
      return;
    }
    const { uploadId, sha256 } = await receiveFile(x, upload, input, to);
    try {
      await this.#callers.recheck(x);
      await this.#call(x, plan, { ...input, upload: uploadId }, { sha256 });
    } finally {
      // Discarding has no effect if an import has taken the upload.
      discard(to, upload, input, uploadId);
    }
  }

  /**
   * Whether a person has signed in from an address before. For requests with a session the question does not arise, so
   * the result is false. If the service does not respond, no address counts as known.
   */
  #knowsAddress(x: Exchange): (email: string, address: string) => Promise<boolean> {
    if (x.identity) return () => Promise.resolve(false);
    return (email, address) => call(this.#broker, "identity.knowsAddress", { email, address }).catch(() => false);
  }

  /** The complete metadata of the call. It contains nothing unchecked from the client's request. */
  #metaOf(x: Exchange): Meta {
    return x.identity ? { identity: x.identity } : {};
  }

  /** Calls the action of a route and responds with its result. */
  async #call<T>(x: Exchange, plan: RoutePlan, input: Input, { sha256, delivery }: Facts = {}): Promise<T> {
    const { route } = plan;
    const meta = this.#metaOf(x);
    const waitMs = delivery?.waitMs ?? input.waitMs;
    const options = {
      meta,
      headers: requestHeaders(x, plan, input, { trustProxy: this.#config.TRUST_PROXY, sha256, delivery }),
      requestID: x.requestId,
      ...(waitMs !== undefined && { timeout: Number(waitMs) + WAIT_MARGIN_MS }),
    };
    const work = this.#broker.call<T, Input>(route.action, input, options);
    // A response without content reveals nothing, and the request itself may end the caller's session or API key.
    const allowed = route.status === 204 ? work : this.#callers.during(x, work);
    const result = await allowed.finally(() => {
      if (meta.replayed) x.headers.push("Idempotent-Replayed", "true");
      if (route.browser && meta.session !== undefined) {
        x.headers.push("Set-Cookie", sessionCookie(x.req.headers, meta.session));
      }
      if (meta.authorization) x.headers.push("Set-Cookie", authorizationCookie(x.req.headers, meta.authorization));
      if (meta.degraded) x.headers.push("Search-Degraded", "true");
    });
    respond(x, plan, input, result, route.found && meta.found === true);
    return result;
  }

  async #fail(x: Exchange, error: unknown): Promise<void> {
    if (error instanceof ClientGone) return;
    const failure = failureOf(error);
    const { status } = ERRORS[failure.code];
    if (status === 500) this.#logger.error("Request failed", { path: x.shownPath }, error);
    // Many requests may fail like this at the same time, so the warning is throttled. The metrics count all of them.
    else if (status > 500)
      this.#warn(`Requests are answered ${status} ${failure.code}`, { route: x.route, error: String(error) });
    if (x.res.headersSent) return void x.res.destroy();
    x.headers.push(...problemHeaders(failure));
    if (x.page) return x.page.failed(failure);
    if (x.route === NO_ROUTE && failure.code === "not_found" && this.#console?.answerUnknown(x)) return;
    x.send(status, "application/problem+json", JSON.stringify(problemOf(failure, x.requestId)));
  }
}
