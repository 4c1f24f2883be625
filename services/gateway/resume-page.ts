import type { ServiceBroker } from "moleculer";
import type { OutputOf } from "../../contracts/actions.ts";
import { call } from "../../contracts/call.ts";
import { type ErrorCode, ERRORS } from "../../contracts/errors.ts";
import { RESUME_PATH } from "../../contracts/routes.ts";
import type { Exchange, PersonPage } from "./http/exchange.ts";
import type { Failure } from "./http/problem.ts";
import { wantsHtml } from "./http/wants-html.ts";
import { segmentsOf } from "./request/router.ts";
import { RESUME_HEADERS, resumeHtml, type ResumeText } from "./resume-html.ts";

const HTML = "text/html; charset=utf-8";
const READ_TIMEOUT_MS = 5_000;

type Known = OutputOf<"executions.resume.read">;

const STATES: Record<Known["state"], ResumeText & { status: number }> = {
  open: {
    status: 200,
    title: "Continue the workflow?",
    text: "A workflow waits for this confirmation. It works once.",
    button: "Continue",
  },
  used: {
    status: 410,
    title: "This link has been used",
    text: "The workflow has received the confirmation. There is nothing left to do, and you can close this page.",
  },
  expired: {
    status: 410,
    title: "This link has expired",
    text: "The workflow waited for a limited time, and no longer takes the confirmation.",
  },
  over: {
    status: 410,
    title: "This link is no longer needed",
    text: "The workflow has gone on or ended without this confirmation. You can close this page.",
  },
  unknown: {
    status: 404,
    title: "This link is not known",
    text: "Check that you opened the whole address. Part of a long address is easily lost in an e-mail.",
  },
};

const DONE = { title: "Done", button: undefined };
const WAITED = "The workflow continues. You can close this page.";
const EARLY =
  "The confirmation is stored. The workflow continues as soon as it reaches this step. You can close this page.";

const AGAIN = "Nothing was confirmed. Wait a moment, then load this page again.";
const FAULTS: Partial<Record<ErrorCode, Pick<ResumeText, "title" | "text">>> = {
  validation_failed: {
    title: "This step needs data",
    text: "The step takes data that this page cannot send, so nothing was confirmed. The link still works for programs.",
  },
  link_credential_wrong: {
    title: "This link is protected",
    text: "The workflow demands a password or another credential with this link. Nothing was confirmed. To enter it, load this page again.",
  },
  rate_limited: { title: "Too many requests", text: AGAIN },
};

/** The pages at the address of a step, for people. Programs receive JSON. */
export class ResumePage implements PersonPage {
  readonly #x: Exchange;
  readonly #broker: ServiceBroker;

  constructor(x: Exchange, broker: ServiceBroker) {
    this.#x = x;
    this.#broker = broker;
  }

  /** Shows the confirmation page. This changes nothing, because mail scanners and link previews open links too. */
  async ask(): Promise<void> {
    this.#show(await this.#read());
  }

  done(result: unknown): void {
    const { resumed } = result as OutputOf<"executions.resume">;
    this.#send(200, { ...DONE, text: resumed ? WAITED : EARLY });
  }

  async failed({ code }: Failure): Promise<void> {
    const known = code === "link_invalid" ? await this.#read().catch(() => undefined) : undefined;
    // Another request came first.
    if (known) return this.#show(known.state === "open" ? { state: "used" } : known);
    const { status } = ERRORS[code];
    this.#send(status, FAULTS[code] ?? { title: "This did not work", text: AGAIN });
  }

  #read(): Promise<Known> {
    const token = decodeURIComponent(segmentsOf(this.#x.path).at(-1) ?? "");
    const options = { timeout: READ_TIMEOUT_MS, requestID: this.#x.requestId };
    return call(this.#broker, "executions.resume.read", { token }, options);
  }

  #show({ state, step }: Known): void {
    const { status, ...text } = STATES[state];
    this.#send(status, { ...text, step });
  }

  #send(status: number, text: ResumeText): void {
    this.#x.send(status, HTML, resumeHtml(text), RESUME_HEADERS);
  }
}

/** The page that responds to a request of a person: each GET of the address, and a POST of a browser. */
export const resumePage = (x: Exchange, broker: ServiceBroker): ResumePage | undefined =>
  x.route === RESUME_PATH && (x.req.method !== "POST" || wantsHtml(x)) ? new ResumePage(x, broker) : undefined;
