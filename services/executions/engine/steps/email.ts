import { createHash } from "node:crypto";
import { type Attachment, type Mail, SendError, sendMail } from "../../../../adapters/mail/send-mail.ts";
import { placeUrl } from "../../../../adapters/net/guarded-connect.ts";
import { OutboundError } from "../../../../adapters/net/outbound-error.ts";
import type { CredentialData } from "../../../../contracts/credentials/types.ts";
import type { DataOf } from "../../../../core/graph/node-types.ts";
import { type Mailbox, readMailbox } from "../../../../core/mail/mailbox.ts";
import { fileOf } from "../../../../core/run/references.ts";
import { BodyError } from "../../../../core/http-body.ts";
import { bytesOf, locateFile } from "./http-files.ts";
import { failedBy } from "./failed-by.ts";
import { openTyped, StepFailure } from "./secrets.ts";
import { done, idempotencyKey, LIMIT_MARGIN_MS, type Perform, type StepContext, timeoutOf } from "./step.ts";

type Server = CredentialData<"smtp">;

const CONNECT_MS = 10_000;
const CODES = { refused: "mail_refused", insecure: "tls_failed", lost: "outbound_failed" };
/** A size that most servers accept, before base64 makes it longer. */
const MAX_ATTACHED_BYTES = 25 * 1_048_576;

function boxesOf(given: string | string[] | undefined): Mailbox[] {
  return [given ?? []].flat().flatMap(text => readMailbox(text) ?? []);
}

function senderOf(given: string | undefined, server: Server): Mailbox {
  const sender = readMailbox(given ?? server.from ?? "");
  if (sender) return sender;
  throw new BodyError("/data/from: neither the step nor the credential names a sender.");
}

/** It is the same for every attempt of the step, and different for every other step. */
function messageIdOf({ doc, at }: StepContext, { address }: Mailbox): string {
  const key = createHash("sha256").update(idempotencyKey(doc, at)).digest("hex").slice(0, 40);
  return `<${key}@${address.split("@")[1]}>`;
}

async function attachmentsOf(files: readonly unknown[], context: StepContext): Promise<Attachment[]> {
  let bytes = 0;
  const attachments: Attachment[] = [];
  for (const [place, file] of files.entries()) {
    const located = await locateFile(context, fileOf(file) ?? "", `/data/attachments/${place}`);
    bytes += located.size;
    if (bytes > MAX_ATTACHED_BYTES)
      throw new BodyError(
        `/data/attachments: the files are larger than ${MAX_ATTACHED_BYTES / 1_048_576} MiB together.`,
      );
    attachments.push({ name: located.name, type: located.type, open: () => bytesOf(context, located) });
  }
  return attachments;
}

async function send(data: DataOf<"email">, context: StepContext) {
  const { secrets, parts, signal, policy } = context;
  const { data: server } = await openTyped(secrets, data.credential, "smtp");
  const { host, port } = server;
  // Also for the secrets that headers name.
  secrets.check(placeUrl(host, port));
  const from = senderOf(data.from, server);
  const mail: Mail = {
    ...{ messageId: messageIdOf(context, from), from, replyTo: boxesOf(data.replyTo)[0] },
    ...{ to: boxesOf(data.to), cc: boxesOf(data.cc), bcc: boxesOf(data.bcc) },
    ...{ subject: data.subject, text: data.text, html: data.html, headers: data.headers },
    attachments: await attachmentsOf(data.attachments ?? [], context),
  };
  const { messageId } = mail;
  if (context.dry === "all") {
    context.log({ level: "info", message: "The mail is not sent: this is a test." });
    return { messageId, accepted: [], rejected: [] };
  }
  const socket = await parts.connect({ host, port, signal, timeoutMs: CONNECT_MS });
  const silenceMs = timeoutOf(policy) + LIMIT_MARGIN_MS;
  try {
    return { messageId, ...(await sendMail(socket, server, mail, { silenceMs })) };
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    if (error.cause instanceof OutboundError) throw error.cause;
    const code = CODES[error.fault];
    throw new StepFailure(code, `The mail server ${host} did not take the mail: ${error.message}`, error.retryable);
  }
}

/**
 * Sends a mail. An interrupted step sends it again with the same `Message-ID`, because it cannot know whether the
 * server accepted the first one.
 */
export const email: Perform<"email"> = async (data, context) => {
  try {
    return done(await send(data, context));
  } catch (error) {
    return failedBy(error);
  }
};
