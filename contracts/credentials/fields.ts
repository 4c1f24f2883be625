import { z } from "zod";
import { normalHost } from "./hosts.ts";

const MAX_SECRET = 16_384;
export const MAX_KEY = 65_536;
const MAX_FIELDS = 50;

export const described = <T extends z.ZodType>(type: T, description: string): T => type.meta({ description });
/** A secret value. The format tells forms to hide what is typed. */
export const hidden = <T extends z.ZodType>(type: T, description: string): T =>
  type.meta({ description, format: "password" });

/** The characters that a header's value can carry. None of them can end the line. */
export const headerText = z
  .string()
  .min(1)
  .max(MAX_SECRET)
  .regex(/^[\x20-\x7e]+$/, "Expected visible ASCII characters");
export const token = z
  .string()
  .min(1)
  .max(MAX_SECRET)
  .regex(/^[\x21-\x7e]+$/, "Expected visible ASCII characters without spaces");
export const secretText = z.string().min(1).max(MAX_SECRET);
export const shortText = z.string().trim().min(1).max(2_000);

/** A model's name may become part of a path, so it must not contain path syntax. */
export const modelName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^(?!.*\.\.)[\w.:@/+-]+$/, "Expected the name of a model");

function isWebAddress(value: string): boolean {
  const url = URL.parse(value);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.hash === ""
  );
}
export const webAddress = z
  .string()
  .trim()
  .max(2_048)
  .refine(isWebAddress, "Expected an http or https URL without a user name, a password or a fragment");

/** Headers that frame a message belong to the connection, so no credential may set them. */
const FRAMING =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|http2-settings|proxy-.*)$/i;
export const headerName = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/, "Expected the name of a header")
  .refine(name => !FRAMING.test(name), "This header is set by Weft");

export const port = (usual: number) => described(z.int().min(1).max(65_535).default(usual), "The port.");
export const hostName = described(
  z
    .string()
    .trim()
    .max(253)
    .refine(
      text => !text.includes("*") && !/:\d+$/.test(text) && normalHost(text) !== undefined,
      "Expected a host name",
    ),
  "The host name or address of the server.",
);
export const scope = described(shortText.optional(), "The scopes to ask for, with spaces between them.");
export const clientId = described(shortText, "The client's id at the authorization server.");
export const clientSecret = hidden(secretText, "The client secret.");
export const tokenUrl = described(webAddress, "The token endpoint.");
export const clientAuth = described(
  z.enum(["basic", "body"]).default("basic"),
  "Where the client's secret is sent to the token endpoint.",
);

export const authorities = described(
  z
    .string()
    .max(MAX_KEY)
    .regex(/^\s*-----BEGIN CERTIFICATE-----/, "Expected certificates in PEM")
    .optional(),
  "Certificates of authorities (PEM) to trust beside the usual ones.",
);

export const database = (usual: number) =>
  z.strictObject({
    host: hostName,
    port: port(usual),
    database: described(shortText, "The database."),
    username: described(shortText, "The user name."),
    password: hidden(secretText, "The password."),
    tls: described(
      z.enum(["verify", "require", "off"]).default("verify"),
      "`verify` checks the server's certificate, `require` does not.",
    ),
    ca: authorities,
  });

const FIELD_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/;
export const fields = z
  .record(z.string(), hidden(z.string().min(1).max(MAX_SECRET), "A secret value."))
  .refine(
    data => Object.keys(data).every(name => FIELD_NAME.test(name)),
    "Names begin with a letter and have letters, digits and _",
  )
  .refine(
    data => Object.keys(data).length >= 1 && Object.keys(data).length <= MAX_FIELDS,
    `Expected 1 to ${MAX_FIELDS} fields`,
  );
