export interface OutgoingMail {
  /** The same for all attempts, so that a receiver recognises a repeated mail. */
  messageId: string;
  date: Date;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** A mail was not sent. `final`: the server will never accept it. */
export class MailError extends Error {
  override readonly name = "MailError";
  readonly final: boolean;

  constructor(message: string, final: boolean, cause?: unknown) {
    super(message, { cause });
    this.final = final;
  }
}

export interface Mailer {
  /** @throws {MailError} when the server did not accept the mail in time */
  send(mail: OutgoingMail): Promise<void>;
  close(): void;
}

const CONNECT_MS = 10_000;
const IDLE_MS = 15_000;
/** The limit of a whole attempt. It is shorter than the lease on a mail. */
export const SEND_MS = 45_000;
const MAX_CONNECTIONS = 2;

interface SmtpFailure {
  responseCode?: number;
  /** The command that failed. */
  command?: string;
}

/** Whether the server refused this mail, rather than the sender's login or the connection. */
const isFinal = ({ responseCode = 0, command = "" }: SmtpFailure) =>
  responseCode >= 500 && responseCode < 600 && /^(RCPT TO|DATA|MESSAGE)/i.test(command);

/** Creates a mailer for an SMTP server. Its connections are reused for further mails. */
export async function smtpMailer(url: string, from: string): Promise<Mailer> {
  // Loaded only when it is used, because most nodes send no mail.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ messageId, date, to, subject, text, html }) {
      let limit: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        limit = setTimeout(() => reject(new MailError("The SMTP server did not answer in time", false)), SEND_MS);
      });
      const headers = { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" };
      // An address as an object is one recipient, whatever it contains.
      const recipient = { name: "", address: to };
      try {
        await Promise.race([
          transport.sendMail({ from, to: recipient, subject, text, html, messageId, date, headers }),
          late,
        ]);
      } catch (error) {
        if (error instanceof MailError) throw error;
        throw new MailError((error as Error).message, isFinal(error as SmtpFailure), error);
      } finally {
        clearTimeout(limit);
      }
    },
    close: () => transport.close(),
  };
}
