import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { Mailbox } from "../../core/mail/mailbox.ts";
import { authoritiesWith, isTlsFault, tlsFaultText } from "../net/tls.ts";

/** The mail server of a credential. */
export interface MailServer {
  host: string;
  port: number;
  security: "starttls" | "tls" | "off";
  username?: string | undefined;
  password?: string | undefined;
  /** Certificates of authorities (PEM) that are trusted in addition to the usual ones. */
  ca?: string | undefined;
}

export interface Attachment {
  name: string;
  type: string;
  open: () => AsyncIterable<Uint8Array>;
}

export interface Mail {
  /** The same for all attempts, so that a receiver recognises a repeated mail. */
  messageId: string;
  from: Mailbox;
  replyTo?: Mailbox | undefined;
  to: Mailbox[];
  cc: Mailbox[];
  bcc: Mailbox[];
  subject: string;
  text?: string | undefined;
  html?: string | undefined;
  headers: Record<string, string>;
  attachments: Attachment[];
}

/**
 * `refused`: the server refused the mail. `insecure`: the connection is not encrypted as required, or cannot be.
 * `lost`: the connection broke.
 */
type SendFault = "refused" | "insecure" | "lost";

/** A server refused a mail, or the connection broke. */
export class SendError extends Error {
  override readonly name = "SendError";
  readonly fault: SendFault;
  readonly retryable: boolean;

  constructor(message: string, { fault, retryable }: { fault: SendFault; retryable: boolean }, cause: unknown) {
    super(message, { cause });
    this.fault = fault;
    this.retryable = retryable;
  }
}

interface SmtpFailure extends Error {
  code?: string;
  /** The code from the system, for example for a certificate. */
  originalCode?: string;
  responseCode?: number;
}

/** Faults that another attempt would meet again, because the server or its certificate stays the same. */
const LASTING = new Set(["EAUTH", "ENOAUTH", "ETLS", "EMESSAGE"]);

export function failureOf(error: SmtpFailure): SendError {
  const { message, code = "", originalCode = "", responseCode = 0 } = error;
  if (isTlsFault(originalCode))
    return new SendError(
      `the connection could not be encrypted: ${tlsFaultText(originalCode, message)}`,
      { fault: "insecure", retryable: false },
      error,
    );
  const fault = responseCode > 0 || LASTING.has(code) ? "refused" : "lost";
  const retryable = responseCode > 0 ? responseCode < 500 : !LASTING.has(code);
  return new SendError(message, { fault, retryable }, error);
}

/**
 * Creates a mail transport over a connection. With `starttls`, only the greeting is sent before the connection is
 * encrypted.
 */
export async function createMailTransport(
  socket: Socket,
  { host, port, security, username, password = "", ca }: MailServer,
  silenceMs: number,
) {
  // Loaded only when it is used, because most nodes send no mail.
  const { createTransport } = await import("nodemailer");
  return createTransport({
    ...{ host, port, secure: security === "tls", requireTLS: security === "starttls", ignoreTLS: security === "off" },
    ...(username !== undefined && { auth: { user: username, pass: password } }),
    ...(ca !== undefined && { tls: { ca: authoritiesWith(ca) } }),
    getSocket: (_options: unknown, done: (error: null, given: { connection: Socket }) => void) =>
      done(null, { connection: socket }),
    ...{ greetingTimeout: silenceMs, socketTimeout: silenceMs, disableFileAccess: true, disableUrlAccess: true },
  } as object);
}

/** Addresses as objects are one recipient each, whatever they contain. */
const shown = (boxes: Mailbox[]) => boxes.map(({ name, address }) => ({ name, address }));

/**
 * Sends a mail over a connection, and closes the connection.
 * @throws {SendError}
 */
export async function sendMail(
  socket: Socket,
  server: MailServer,
  { messageId, from, replyTo, to, cc, bcc, subject, text, html, headers, attachments }: Mail,
  { silenceMs }: { silenceMs: number },
): Promise<{ accepted: string[]; rejected: string[] }> {
  const transport = await createMailTransport(socket, server, silenceMs);
  try {
    const sent = (await transport.sendMail({
      ...{ from, to: shown(to), cc: shown(cc), bcc: shown(bcc), subject, text, html, messageId },
      ...(replyTo && { replyTo }),
      headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
      attachments: attachments.map(({ name, type, open }) => ({
        ...{ filename: name, contentType: type, content: Readable.from(open()) },
      })),
    })) as { accepted?: unknown[]; rejected?: unknown[] };
    return { accepted: (sent.accepted ?? []).map(String), rejected: (sent.rejected ?? []).map(String) };
  } catch (error) {
    throw failureOf(error as SmtpFailure);
  } finally {
    socket.destroy();
  }
}
