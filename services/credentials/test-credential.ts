import { derivedSecrets, signCall, signsCalls } from "../../adapters/credentials/sign-call.ts";
import { OutboundError } from "../../adapters/net/outbound-error.ts";
import { handle } from "../../contracts/call.ts";
import { AppError, errorCode } from "../../contracts/errors.ts";
import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { clip } from "../../core/clip.ts";
import { secretValues } from "../../contracts/credentials/types.ts";
import { openedOf } from "./open.ts";
import { findCredential, type Self } from "./service.ts";

const TEST_MS = 15_000;
const MAX_BYTES = 65_536;
const MAX_BODY_CHARS = 2_000;

const invalid = (message: string) => new AppError("validation_failed", { errors: [{ path: "/url", message }] });

/**
 * Tests a credential. If its type signs calls and a URL is given, sends a GET with it. If the type has a server of its
 * own, signs in there. Otherwise decrypts the credential, and obtains a token if the type has one.
 */
export const test = handle<"credentials.test", Self>(
  "credentials.test",
  async function (ctx) {
    const { workspaceId, id, url } = ctx.params;
    const doc = await findCredential(this, workspaceId, id);
    const nothing = { status: null, body: null };
    if (url !== undefined && !signsCalls(doc.type)) throw invalid(`The type ${doc.type} does not sign calls`);
    try {
      const opened = await openedOf(this, doc);
      const { testConnection } = await import("./test-connection.ts");
      const tested = await testConnection(opened, this);
      if (tested) return tested;
      if (url === undefined) return { ok: true, message: "The credential can be used.", ...nothing };
      const mask = maskerOf([...secretValues(opened.type, opened.data), ...derivedSecrets(opened)]);
      const answer = await this.net
        .fetch({
          url,
          timeoutMs: TEST_MS,
          maxBytes: MAX_BYTES,
          sign: hop => {
            if (!isAllowedHost(opened.hosts, hop.url))
              throw new OutboundError("outbound_refused", `The credential may not be sent to ${hop.url.host}`);
            return signCall(opened, hop);
          },
        })
        .catch((error: unknown) => {
          if (error instanceof OutboundError) throw new OutboundError(error.code, mask(error.message));
          throw error;
        });
      const ok = answer.status >= 200 && answer.status < 300;
      const body = clip(mask(Buffer.from(answer.body).toString()), MAX_BODY_CHARS);
      return { ok, message: `The server answered ${answer.status}.`, status: answer.status, body };
    } catch (error) {
      if (error instanceof OutboundError || errorCode(error)?.startsWith("credential_"))
        return { ok: false, message: (error as Error).message, ...nothing };
      throw error;
    }
  },
  { timeout: 60_000, outside: true },
);
