import type { OidcProvider } from "./oidc.ts";

/**
 * The variables whose text may be shown. Numbers and switches may be shown too. All others are masked, so a new
 * variable is a secret until it is listed here.
 */
const SHOWN = new Set([
  ...["HOST", "PUBLIC_URL", "CORS_ORIGINS", "REGISTRATION", "CONTACT", "OPERATORS", "MAIL_FROM", "PASSWORDS_BREACHED"],
  ...["DATA_DIR", "STORE_SYNC", "LIMITS", "SERVICES", "OUTBOUND_ALLOW", "LLM_MODEL", "EMBEDDINGS_MODEL"],
  ...["LOG_LEVEL", "LOG_FORMAT", "METRICS_HOST", "OTEL_SERVICE_NAME", "OTEL_TRACES_SAMPLER"],
]);
/** Any address may contain a user and a password. */
const HAS_USER = /:\/\/[^/,\s]*@/;

/** A variable of the environment, with its value in effect. */
export interface ShownSetting {
  name: string;
  /** Null if there is no value, or if the value is masked. */
  value: string | null;
  /** `set`: the value differs from the default. `none`: there is no value. */
  state: "set" | "default" | "none";
  masked: boolean;
}

function textOf(value: unknown, usual: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value !== "object") return JSON.stringify(value);
  // Of named numbers, only the changed ones.
  const numbers = Object.entries(value).filter(([name, number]) => (usual as Record<string, unknown>)[name] !== number);
  return numbers.map(([name, number]) => `${name}=${number}`).join(",");
}

function shown(name: string, value: unknown, usual: unknown): ShownSetting {
  const text = textOf(value, usual);
  const isHarmless = typeof value === "number" || typeof value === "boolean" || SHOWN.has(name);
  const masked = !isHarmless || HAS_USER.test(text);
  const state = text === "" ? "none" : text === textOf(usual, usual) ? "default" : "set";
  return { name, value: masked || state === "none" ? null : text, state, masked };
}

/** The variables by name with their values in effect, without any secret. */
export const shownSettings = (
  names: readonly string[],
  values: Readonly<Record<string, unknown>>,
  defaults: Readonly<Record<string, unknown>>,
): ShownSetting[] => names.map(name => shown(name, values[name], defaults[name]));

/** The variables of a sign-in provider, in the same form. */
export function shownProvider(provider: OidcProvider): ShownSetting[] {
  const { id, issuer, clientId, clientSecret, name, scope, groupsClaim, register, linkByEmail } = provider;
  const text = (value: string | boolean) => ({ value: String(value), state: "set" as const, masked: false });
  const secret = {
    value: null,
    state: clientSecret === undefined ? ("none" as const) : ("set" as const),
    masked: true,
  };
  const settings = {
    ISSUER: HAS_USER.test(issuer) ? { ...secret, state: "set" as const } : text(issuer),
    CLIENT_ID: text(clientId),
    CLIENT_SECRET: secret,
    NAME: text(name),
    SCOPE: text(scope),
    GROUPS: text(groupsClaim),
    REGISTER: text(register),
    LINK_BY_EMAIL: text(linkByEmail),
  };
  return Object.entries(settings).map(([setting, rest]) => ({ name: `OIDC_${id.toUpperCase()}_${setting}`, ...rest }));
}
