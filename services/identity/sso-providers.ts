import type { Service } from "moleculer";
import { createGuardedFetch } from "../../adapters/net/guarded-fetch.ts";
import type { GuardedFetch } from "../../adapters/net/port.ts";
import { OidcClient } from "../../adapters/oauth/oidc.ts";
import type { Sealer } from "../../adapters/secrets/sealer.ts";
import { type Config, config, type OidcProvider } from "../../config.ts";
import { AppError, notFound } from "../../contracts/errors.ts";
import { publicUrl } from "../../service-kit/public-url.ts";
import type { WithHashKey } from "../../service-kit/hash-key.mixin.ts";
import type { WithStore } from "../../service-kit/store.mixin.ts";
import { sealerFor } from "../../service-kit/sealer.ts";

/** The purpose with which attempts are sealed. The page keeps them, so anonymous clients store nothing here. */
const SSO_ATTEMPTS = "sign-ins by a provider";

export interface Provider {
  settings: OidcProvider;
  client: OidcClient;
}

export interface WithProviders {
  providers: ReadonlyMap<string, Provider>;
  attemptSealer: Sealer;
}
export type SsoSelf = Service & WithStore & WithHashKey & WithProviders;

/** An entry that lets the outbound guard connect to the issuer, which may be in a private network. */
function hostOf(issuer: string): string {
  const { hostname, port, protocol } = new URL(issuer);
  const usual = protocol === "https:" ? "443" : "80";
  return `${hostname}:${port || usual}`;
}

/**
 * The clients of the configured providers. A provider's own document contains further addresses, so calls pass the
 * guard. The issuer is the only exception.
 */
export function connectProviders({ OIDC, OUTBOUND_ALLOW }: Pick<Config, "OIDC" | "OUTBOUND_ALLOW"> = config()): {
  parts: WithProviders;
  nets: GuardedFetch[];
} {
  const nets: GuardedFetch[] = [];
  const providers = new Map<string, Provider>();
  for (const settings of OIDC) {
    const net = createGuardedFetch({ allow: [...OUTBOUND_ALLOW, hostOf(settings.issuer)] });
    nets.push(net);
    providers.set(settings.id, { settings, client: new OidcClient(asked => net.fetch(asked), settings) });
  }
  return { parts: { providers, attemptSealer: sealerFor(SSO_ATTEMPTS) }, nets };
}

/** @throws {AppError} not_found */
export function providerOf({ providers }: WithProviders, id: string): Provider {
  const provider = providers.get(id);
  if (!provider) throw notFound("provider");
  return provider;
}

/**
 * The address to which a provider redirects the browser. Each provider has its own, so that none can respond for
 * another.
 */
export const redirectUri = ({ settings }: Provider): string => `${publicUrl()}/sso/${settings.id}`;

/** @throws {AppError} sso_only when people may sign in through a provider only */
export function checkPasswordsAllowed(): void {
  if (config().SSO_ONLY) throw new AppError("sso_only");
}
