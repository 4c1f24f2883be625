import { derivedSecrets } from "../../../../adapters/credentials/sign-call.ts";
import type { OpenedCredential } from "../../../../contracts/credentials/opened.ts";
import { secretValues } from "../../../../contracts/credentials/types.ts";
import { isAllowedHost } from "../../../../core/credentials/allowed-host.ts";
import { type Mask, maskerOf } from "../../../../core/credentials/mask.ts";
import { ShortLivedMap } from "../../../../service-kit/short-lived-map.ts";
import type { Credentials, SpaceAddress } from "../credentials.ts";
import { callFailure } from "./call-failure.ts";
import { StepFailure, type Secrets } from "./secrets.ts";

/** Caches the masks of recently used credentials, because creating a mask takes longer than using it. */
const masks = new ShortLivedMap<Mask>({ max: 100, ms: 10 * 60_000 });

function maskFor(values: ReadonlySet<string>): Mask {
  const key = JSON.stringify([...values].sort());
  const known = masks.get(key);
  if (known) return known;
  const mask = maskerOf(values);
  masks.set(key, mask);
  return mask;
}

/** The secrets of one step, opened by the credentials service. */
export class StepSecrets implements Secrets {
  readonly #place: SpaceAddress;
  readonly #credentials: Credentials;
  readonly #used = new Map<string, OpenedCredential>();
  readonly #values = new Set<string>();
  #mask: Mask | undefined;
  /** The last address that passed the check. A call checks its first address twice. */
  #allowed: string | undefined;

  constructor(place: SpaceAddress, credentials: Credentials) {
    this.#place = place;
    this.#credentials = credentials;
  }

  get areUsed(): boolean {
    return this.#used.size > 0;
  }

  get longest(): number {
    return Math.max(0, ...[...this.#values].map(({ length }) => length));
  }

  async open(named: { id: string } | { name: string }, refused?: string): Promise<OpenedCredential> {
    const opened = await this.#credentials.open(this.#place, named, refused).catch((error: unknown) => {
      const { code, message, retryable } = callFailure(error, "The credentials service");
      const shown = "id" in named ? named.id : `"${named.name}"`;
      if (code === "not_found")
        throw new StepFailure("credential_not_found", `There is no credential ${shown} for this space.`);
      throw new StepFailure(code, message, retryable);
    });
    this.#used.set(opened.id, opened);
    for (const value of [...secretValues(opened.type, opened.data), ...derivedSecrets(opened)]) this.#values.add(value);
    this.#mask = undefined;
    this.#allowed = undefined;
    return opened;
  }

  async fieldsOf(name: string): Promise<Record<string, unknown>> {
    const { type, data } = await this.open({ name });
    if (type === "fields") return data;
    const message = `The credential "${name}" has the type ${type}. Expressions read only credentials of the type fields.`;
    throw new StepFailure("credential_not_usable", message);
  }

  check(url: URL): void {
    const { href } = url;
    if (href === this.#allowed) return;
    // Host names are looked up and traced before anything is sent, so they must not contain a secret.
    if ([...this.#values].some(value => value.length > 3 && url.hostname.includes(value.toLowerCase())))
      throw new StepFailure("credential_host_not_allowed", "A secret may not be a part of a host name.");
    for (const { name, hosts } of this.#used.values()) {
      if (isAllowedHost(hosts, url)) continue;
      const message = `The credential "${name}" may not be sent to ${url.host}. Its hosts: ${hosts.join(", ") || "none"}.`;
      throw new StepFailure("credential_host_not_allowed", message);
    }
    this.#allowed = href;
  }

  mask<T>(value: T): T {
    if (this.#values.size === 0) return value;
    return (this.#mask ??= maskFor(this.#values))(value);
  }
}
