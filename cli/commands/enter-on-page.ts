import { createHash, randomBytes } from "node:crypto";
import type { SignedIn } from "../../sdk/index.ts";
import { CommandError, type Invocation } from "../command.ts";
import { anonymous, LOOPBACK } from "../connection.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { askSecret } from "../read-input.ts";
import { printMessage, withoutControls } from "../terminal.ts";

/**
 * Signs in on the web page with any method that the page offers: providers, passkeys or a password. The page shows a
 * code, which the person enters in this command. Only this command can use the code, because the page knows only the
 * digest of the verifier. The command opens no port, so the browser may be on another machine.
 */
export async function enterOnPage(given: Invocation, url: string): Promise<SignedIn> {
  const weft = anonymous(url);
  const { console: hasPage, publicUrl } = await weft.identity.installation();
  if (!hasPage) throw new CommandError(`${url} serves no web page. Sign in with --email, or with --key.`);
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  // Providers redirect to the public address. A service without a configured one calls itself localhost.
  const base = LOOPBACK.test(publicUrl) ? url : publicUrl;
  const address = `${base}/command?challenge=${challenge}`;
  printMessage("Open this page in your browser, sign in, and copy the code:");
  printMessage(withoutControls(address));
  if (given.flag("open")) openInBrowser(address);
  const code = (await askSecret("Code: ")).trim();
  return weft.identity.loginByCode({ code, verifier });
}
