import { once } from "node:events";
import type { AddressInfo } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface Received extends Email {
  raw: string;
  /** The recipients of the envelope. */
  to_: string[];
}

/** How a sink encrypts its connections: at once, or on request. */
interface SinkTls {
  at: "once" | "starttls";
  cert: Buffer;
  key: Buffer;
}

/** An SMTP server that stores the mails that it receives. */
export class MailSink {
  readonly mails: Received[] = [];
  port = 0;
  password = "s3cret";
  /** The error text for a wrong password. */
  wrong: (given: string) => string = () => "Wrong password";
  /** Called with each mail before the server accepts it. An error refuses the mail. */
  before: (raw: string) => Promise<void> | void = () => undefined;
  readonly #tls: SinkTls | undefined;
  #server: SMTPServer | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(tls?: SinkTls) {
    this.#tls = tls;
  }

  get url(): string {
    return `smtp://weft:${this.password}@127.0.0.1:${this.port}`;
  }

  /** Starts the server. After a stop, it uses the same port again. */
  async start(): Promise<this> {
    const server = new SMTPServer({
      ...this.#tls,
      secure: this.#tls?.at === "once",
      disabledCommands: this.#tls ? [] : ["STARTTLS"],
      allowInsecureAuth: true,
      authOptional: false,
      // A mailer keeps its connections open for further mails. A stop does not wait for them.
      closeTimeout: 1,
      onAuth: ({ username, password }, _, done) =>
        password === this.password ? done(null, { user: username }) : done(new Error(this.wrong(password ?? ""))),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const raw = Buffer.concat(chunks).toString("utf8");
          const to_ = session.envelope.rcptTo.map(({ address }) => address);
          this.#take(raw, to_).then(() => done(), done);
        });
      },
    });
    // A killed client breaks its connection.
    server.on("error", () => undefined);
    server.listen(this.port, "127.0.0.1");
    await once(server.server, "listening");
    this.port = (server.server.address() as AddressInfo).port;
    this.#server = server;
    return this;
  }

  async #take(raw: string, to_: string[]): Promise<void> {
    await this.before(raw);
    this.mails.push({ ...(await PostalMime.parse(raw)), raw, to_ });
    for (const wake of this.#waiting) wake();
  }

  /** Waits until there are this many mails to this address, and returns them. */
  async to(address: string, count = 1): Promise<Received[]> {
    const limit = AbortSignal.timeout(60_000);
    for (;;) {
      const found = this.mails.filter(({ to_ }) => to_.includes(address));
      if (found.length >= count) return found;
      limit.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const wake = () => {
          this.#waiting.delete(wake);
          resolve();
        };
        this.#waiting.add(wake);
        limit.addEventListener("abort", () => reject(new Error(`No mail came to ${address}`)), { once: true });
      });
    }
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server) await new Promise<void>(resolve => void server.close(resolve));
  }
}

/** The first link in a mail. */
export const linkIn = ({ text = "" }: Email): string => /https?:\/\/\S+/.exec(text)?.[0] ?? "";
