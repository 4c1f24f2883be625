import type { ServiceBroker } from "moleculer";
import { call, type Meta } from "../../../contracts/call.ts";
import type { Files } from "../../../service-kit/files.ts";
import type { Exchange } from "../http/exchange.ts";
import type { GatewayConfig } from "../http/settings.ts";
import { formBody } from "./form-input.ts";
import { digestOf, IncomingFiles, maxBytesOf } from "./incoming-files.ts";
import type { RoutePlan } from "./route-plan.ts";
import { receiveBytes } from "./upload.ts";

interface Parts {
  broker: ServiceBroker;
  files: Files;
  config: GatewayConfig;
  meta: Meta;
}

/**
 * A request whose body is a form with files. The files become files of the workspace, if the caller may upload files.
 */
export class FormRequest {
  readonly #x: Exchange;
  readonly #parts: Parts;
  #incoming: IncomingFiles | undefined;

  constructor(x: Exchange, parts: Parts) {
    this.#x = x;
    this.#parts = parts;
  }

  /**
   * The body in the form that JSON would have, and a digest of it. The digest is the same when the same files are sent
   * again.
   * @throws {AppError} validation_failed, payload_too_large, limit_reached, forbidden, not_found, unavailable
   */
  async read(plan: RoutePlan, into: string, workspaceId: string) {
    const { broker, files, config, meta } = this.#parts;
    const reserve = async () => {
      const { uploadId } = await call(broker, "files.begin", { workspaceId, name: "file" }, { meta });
      return { id: uploadId };
    };
    const owner = { workspaceId, createdBy: this.#x.identity?.userId ?? null, reserve };
    this.#incoming = new IncomingFiles(files, owner, config);
    const type = this.#x.req.headers["content-type"] ?? "";
    const fields = await this.#incoming.form(receiveBytes(this.#x, maxBytesOf(config)), type);
    const body = formBody(fields, plan, into);
    return { body, sha256: digestOf(body[into] ?? null) };
  }

  /** Removes files that were not taken. */
  close(): void {
    this.#incoming?.close();
  }
}
