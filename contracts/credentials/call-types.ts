import { z } from "zod";
import {
  clientAuth,
  clientId,
  clientSecret,
  described,
  headerName,
  headerText,
  hidden,
  MAX_KEY,
  scope,
  secretText,
  shortText,
  token,
  tokenUrl,
  webAddress,
} from "./fields.ts";
import { type } from "./type.ts";

/** The types with which `http` steps sign calls. */
export const CALL_TYPES = {
  header: type({
    summary: "A header with a secret value",
    data: z.strictObject({
      name: described(headerName, "The name, such as `X-Api-Key`.").meta({ title: "Header name" }),
      value: hidden(headerText, "The value."),
      prefix: described(
        z
          .string()
          .max(100)
          .regex(/^[\x20-\x7e]*$/, "Expected visible ASCII characters")
          .optional(),
        "Text before the value, such as `Token `.",
      ),
    }),
    hosts: "given",
    use: "calls",
  }),
  query: type({
    summary: "A parameter of the query with a secret value",
    data: z.strictObject({
      name: described(z.string().min(1).max(200), "The name, such as `api_key`.").meta({ title: "Parameter name" }),
      value: hidden(secretText, "The value."),
    }),
    hosts: "given",
    use: "calls",
  }),
  basic: type({
    summary: "User name and password (HTTP Basic)",
    data: z.strictObject({
      username: described(
        z
          .string()
          .max(2_000)
          .regex(/^[^:\p{Cc}]*$/u, "Must not contain a colon"),
        "The user name.",
      ),
      password: hidden(secretText, "The password."),
    }),
    hosts: "given",
    use: "calls",
  }),
  bearer: type({
    summary: "A bearer token",
    data: z.strictObject({ token: hidden(token, "The token.") }),
    hosts: "given",
    use: "calls",
  }),
  oauth2_client: type({
    summary: "OAuth 2 with client credentials",
    data: z.strictObject({
      tokenUrl,
      clientId,
      clientSecret,
      scope,
      audience: described(shortText.optional(), "The audience to ask for."),
      auth: clientAuth,
    }),
    hosts: "given",
    use: "calls",
    tokens: "client",
  }),
  oauth2_code: type({
    summary: "OAuth 2 in a person's name (authorization code with PKCE)",
    data: z.strictObject({
      authorizeUrl: described(webAddress, "The authorization endpoint."),
      tokenUrl,
      clientId,
      clientSecret: clientSecret.optional(),
      scope,
      auth: clientAuth,
      issuer: described(
        webAddress.optional(),
        "The issuer, to compare with the `iss` of the callback. Default: the origin of `authorizeUrl`.",
      ),
      parameters: described(
        z.record(z.string().max(100), z.string().max(1_000)).optional(),
        "Further parameters of the authorization request, such as `access_type`.",
      ),
    }),
    hosts: "given",
    use: "calls",
    tokens: "code",
  }),
  aws: type({
    summary: "AWS keys (Signature Version 4)",
    data: z.strictObject({
      accessKeyId: described(token, "The access key id."),
      secretAccessKey: hidden(token, "The secret access key."),
      sessionToken: hidden(token.optional(), "The token of a temporary session."),
      region: described(shortText, "The region, such as `eu-central-1`."),
      service: described(shortText, "The service, such as `s3` or `execute-api`."),
    }),
    hosts: "given",
    use: "calls",
  }),
  jwt: type({
    summary: "A service account that signs its own assertions (RFC 7523)",
    data: z.strictObject({
      tokenUrl,
      privateKey: hidden(z.string().min(1).max(MAX_KEY), "The private key: PEM, PKCS #8."),
      algorithm: described(z.enum(["RS256", "ES256"]).default("RS256"), "The algorithm of the signature."),
      keyId: described(shortText.optional(), "The id of the key (`kid`)."),
      issuer: described(shortText, "The claim `iss`."),
      subject: described(shortText.optional(), "The claim `sub`. Default: the issuer."),
      audience: described(shortText.optional(), "The claim `aud`. Default: the token endpoint."),
      scope,
      claims: described(z.record(z.string().max(200), z.unknown()).optional(), "Further claims."),
    }),
    hosts: "given",
    use: "calls",
    tokens: "assertion",
  }),
};
