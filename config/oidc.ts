import { z } from "zod";
import { address, bool, ConfigError, text } from "./values.ts";

/** The settings of one provider: `OIDC_<ID>_<setting>`. */
const provider = z.object({
  ISSUER: address("https", "http").refine(
    isSecure,
    "an address that begins with https://, or with http:// on this machine",
  ),
  CLIENT_ID: text("the id that the provider gave to Weft"),
  CLIENT_SECRET: text("the secret that the provider gave to Weft").optional(),
  NAME: text("a name of at most 60 characters", /^.{1,60}$/).optional(),
  SCOPE: text("scopes with openid among them, such as openid email profile", /(^|\s)openid(\s|$)/).default(
    "openid email profile",
  ),
  GROUPS: text("the name of a claim").default("groups"),
  REGISTER: bool.default(false),
  LINK_BY_EMAIL: bool.default(false),
});

/** The settings `OIDC_<ID>_…` of a provider. */
export const OIDC_SETTINGS = Object.keys(provider.shape) as (keyof z.output<typeof provider>)[];

/** An OpenID Connect provider with which people may sign in. */
export interface OidcProvider {
  /** Lower case. */
  id: string;
  /** The name for people. */
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string | undefined;
  scope: string;
  /** The claim that lists the groups of a person. */
  groupsClaim: string;
  /** The provider's people get an account, regardless of REGISTRATION. */
  register: boolean;
  /** A person with a verified address signs in to the existing account with this address. */
  linkByEmail: boolean;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const VARIABLE = new RegExp(`^OIDC_([A-Z0-9]{1,30})_(${OIDC_SETTINGS.join("|")})$`);

function isSecure(issuer: string): boolean {
  const url = URL.parse(issuer);
  return url !== null && url.search === "" && (url.protocol === "https:" || LOOPBACK.test(url.hostname));
}

function readProvider(id: string, given: Record<string, string>): OidcProvider {
  const { success, data, error } = provider.safeParse(given);
  if (!success) {
    const { path, message } = error.issues[0]!;
    const name = `OIDC_${id}_${String(path[0])}`;
    const isMissing = given[String(path[0])] === undefined;
    if (isMissing) throw new ConfigError(`${name}: must be set when another variable of the provider is`);
    throw new ConfigError(`${name}: is not valid, expected ${message}`);
  }
  return {
    id: id.toLowerCase(),
    name: data.NAME ?? id.charAt(0) + id.slice(1).toLowerCase(),
    issuer: data.ISSUER,
    clientId: data.CLIENT_ID,
    clientSecret: data.CLIENT_SECRET,
    scope: data.SCOPE,
    groupsClaim: data.GROUPS,
    register: data.REGISTER,
    linkByEmail: data.LINK_BY_EMAIL,
  };
}

/**
 * Reads the providers from the environment, sorted by id. An empty variable counts as not set.
 * @throws {ConfigError} when a variable is missing or invalid
 */
export function oidcProviders(env: NodeJS.ProcessEnv): readonly OidcProvider[] {
  const byId = new Map<string, Record<string, string>>();
  for (const [name, value = ""] of Object.entries(env)) {
    const [, id, setting] = VARIABLE.exec(name) ?? [];
    if (id === undefined || setting === undefined || value.trim() === "") continue;
    byId.set(id, { ...byId.get(id), [setting]: value.trim() });
  }
  return [...byId].map(([id, given]) => readProvider(id, given)).sort((a, b) => (a.id < b.id ? -1 : 1));
}
