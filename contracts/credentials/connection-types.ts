import { z } from "zod";
import {
  authorities,
  database,
  described,
  hidden,
  hostName,
  modelName,
  port,
  secretText,
  shortText,
  token,
  webAddress,
} from "./fields.ts";
import { MODEL_PROVIDER_NAMES, modelAddress } from "./model-providers.ts";
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
      security: described(
        z.enum(["starttls", "tls", "off"]).default("starttls"),
        "How the connection is encrypted. With off, it is not.",
      ),
      username: described(shortText.optional(), "The user name."),
      password: hidden(secretText.optional(), "The password."),
      from: described(shortText.optional(), "The sender of mails that name none."),
      ca: authorities,
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
      accessKeyId: described(token, "The access key id."),
      secretAccessKey: hidden(token, "The secret access key."),
      sessionToken: hidden(token.optional(), "The token of a temporary session."),
      pathStyle: described(z.boolean().default(false), "The bucket is in the path and not in the host name."),
    }),
    hosts: "own",
    ownHosts: data => (data.endpoint === undefined ? ["*.amazonaws.com"] : [hostOf(data.endpoint)]),
    use: "connections",
  }),
  model: type({
    summary: "A language model of a provider: OpenAI's protocol, Anthropic, Google or Ollama",
    data: z.strictObject({
      provider: described(
        z.enum(MODEL_PROVIDER_NAMES).default("openai"),
        "Who provides the model. `openai` is for every server with OpenAI's protocol.",
      ),
      baseUrl: described(
        webAddress.optional(),
        "The address of the server, such as `https://api.example.com/v1`. Default: that of the provider. Required for `ollama`.",
      ),
      apiKey: hidden(token.optional(), "The key. Required for `anthropic` and `google`."),
      model: described(modelName.optional(), "The model for steps that name none."),
    }),
    hosts: "own",
    ownHosts: data => [hostOf(modelAddress(data))].filter(host => host !== ""),
    use: "connections",
  }),
};
