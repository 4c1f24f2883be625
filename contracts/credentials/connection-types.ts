import { z } from "zod";
import { database, described, hidden, hostName, port, secretText, shortText, token, webAddress } from "./fields.ts";
import { type } from "./type.ts";

const place = ({ host, port: number }: { host: string; port: number }) => [`${host}:${number}`];
const hostOf = (address: string) => URL.parse(address)?.host ?? "";

/** The types with which steps connect to servers that speak other protocols. */
export const CONNECTION_TYPES = {
  smtp: type({
    summary: "A mail server",
    data: z.strictObject({
      host: hostName,
      port: port(587),
      security: described(z.enum(["starttls", "tls", "off"]).default("starttls"), "How the connection is encrypted."),
      username: described(shortText.optional(), "The user name."),
      password: hidden(secretText.optional(), "The password."),
      from: described(shortText.optional(), "The sender of mails that name none."),
    }),
    hosts: "own",
    ownHosts: place,
    use: "connections",
  }),
  postgres: type({
    summary: "A PostgreSQL database",
    data: database(5432),
    hosts: "own",
    ownHosts: place,
    use: "connections",
  }),
  mysql: type({
    summary: "A MySQL or MariaDB database",
    data: database(3306),
    hosts: "own",
    ownHosts: place,
    use: "connections",
  }),
  s3: type({
    summary: "Storage with the S3 interface",
    data: z.strictObject({
      endpoint: described(webAddress.optional(), "The address of the storage. Default: that of AWS."),
      region: described(shortText.default("us-east-1"), "The region."),
      bucket: described(shortText.optional(), "The bucket for steps that name none."),
      accessKeyId: described(token, "The id of the access key."),
      secretAccessKey: hidden(token, "The secret access key."),
      sessionToken: hidden(token.optional(), "The token of a temporary session."),
      pathStyle: described(z.boolean().default(false), "The bucket is in the path and not in the host name."),
    }),
    hosts: "own",
    ownHosts: data => (data.endpoint === undefined ? ["*.amazonaws.com"] : [hostOf(data.endpoint)]),
    use: "connections",
  }),
  model: type({
    summary: "A language model behind an OpenAI-compatible interface",
    data: z.strictObject({
      baseUrl: described(webAddress, "The address, such as `https://api.example.com/v1`."),
      apiKey: hidden(token.optional(), "The key."),
      model: described(shortText.optional(), "The model for steps that name none."),
    }),
    hosts: "own",
    ownHosts: data => [hostOf(data.baseUrl)],
    use: "connections",
  }),
};
