import { setTimeout as sleep } from "node:timers/promises";
import type { Credential, Weft } from "../../sdk/index.ts";
import { CommandError, INTERRUPTED, type Invocation } from "../command.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { jsonText, printMessage, printResult, withoutControls } from "../terminal.ts";

/** The maximum duration of an authorization. */
const WAIT_MS = 600_000;
const LOOK_MS = 1_000;

/** Waits until the credential can be used, or its authorization fails. */
async function untilReady(weft: Weft, before: Credential, signal: AbortSignal): Promise<Credential> {
  let former = before.lastError;
  for (const deadline = performance.now() + WAIT_MS; performance.now() < deadline;) {
    await sleep(LOOK_MS, undefined, { signal });
    const now = await weft.credentials.get({ id: before.id });
    if (now.status === "ready") return now;
    if (now.lastError !== null && now.lastError !== former)
      throw new CommandError(withoutControls(`The authorization failed: ${now.lastError}`));
    // The next attempt clears the failure of the previous one.
    former = now.lastError;
  }
  throw new CommandError("The credential was not authorized within ten minutes.");
}

/**
 * Directs a person to the page that authorizes a credential, and waits for the result. The page must begin the
 * authorization and not this command, because the same browser has to complete it.
 */
export async function authorize(
  given: Invocation,
  weft: Weft,
  url: string,
  credential: Credential,
): Promise<number | void> {
  const { id, workspaceId, name, type } = credential;
  if (type !== "oauth2_code")
    throw new CommandError(`A person authorizes credentials of the type oauth2_code. This one has the type ${type}.`);
  const show = (done: Credential) =>
    printResult(given.flag("json") ? jsonText(done) : withoutControls(`${done.name} is ${done.status}.`));
  if (credential.status === "ready") return show(credential);
  const address = `${url}/w/${workspaceId}/settings/credentials?id=${id}`;
  printMessage(withoutControls(`Open this page in your browser, sign in, and authorize ${name}:`));
  printMessage(address);
  if (given.flag("open")) openInBrowser(address);
  if (given.flag("no-wait")) return show(credential);
  const leave = new AbortController();
  const interrupt = () => leave.abort();
  process.once("SIGINT", interrupt);
  try {
    show(await untilReady(weft, credential, leave.signal));
  } catch (error) {
    if (!leave.signal.aborted) throw error;
    return INTERRUPTED;
  } finally {
    process.off("SIGINT", interrupt);
  }
}
