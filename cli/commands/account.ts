import { type SignedIn, type Weft, WeftError } from "../../sdk/index.ts";
import { CommandError, type Command, type Invocation, type Options } from "../command.ts";
import { type Account, changeConfig } from "../config-file.ts";
import { anonymous, LOOPBACK, serviceUrl, signedIn } from "../connection.ts";
import { enterOnPage } from "./enter-on-page.ts";
import { ask, askSecret } from "../read-input.ts";
import { withoutControls, jsonText, printResult, printMessage } from "../terminal.ts";

const EMAIL: Options = { email: { type: "string", short: "e", value: "address", help: "your e-mail address" } };
const CODE: Options = {
  code: {
    type: "string",
    value: "code",
    help: "the code of your second factor, if standard input is not a terminal",
  },
};
const SECRETS = [
  "Weft asks for secrets or reads them from standard input: weft login -e ada@example.com < password-file",
  "Tokens are stored in ~/.config/weft/config.json, which only you can read.",
];

async function keep(url: string, account: Account): Promise<void> {
  await changeConfig(config => {
    config.url = url;
    config.services[url] = account;
  });
}

/** The user's workspace if there is exactly one. With several, the user has to choose. */
async function onlyWorkspace(weft: Weft): Promise<Pick<Account, "workspaceId">> {
  const { items } = await weft.workspaces.list({ limit: 2 });
  const [only, another] = items;
  return only && !another ? { workspaceId: only.id } : {};
}

async function urlForSecrets(given: Invocation): Promise<string> {
  const url = await serviceUrl(given);
  if (!/^https:/i.test(url) && !LOOPBACK.test(url))
    printMessage(`weft: The connection to ${url} is not encrypted. Others on the network can read secrets.`);
  return url;
}

async function enter(
  given: Invocation,
  how: (weft: Weft, email: string, password: string) => Promise<SignedIn>,
): Promise<void> {
  const url = await urlForSecrets(given);
  const email = given.text("email") ?? (await ask("E-mail: ", "--email"));
  await settle(given, url, await how(anonymous(url), email, await askSecret("Password: ")));
}

/** Stores a new session, and prints the next step. */
async function settle(given: Invocation, url: string, session: SignedIn): Promise<void> {
  const found = await onlyWorkspace(anonymous(url).with({ token: session.accessToken }));
  await keep(url, { session, ...found });
  if (given.flag("json")) return printResult(jsonText({ url, user: session.user }));
  printResult(withoutControls(`Signed in at ${url} as ${session.user.email}.`));
  if (!found.workspaceId)
    printMessage("Choose a workspace: weft workspaces use <name>, or create one: weft workspaces create <name>");
}

/** Signs in, and asks for the code of the second factor if the account has one. */
async function login(given: Invocation, weft: Weft, who: { email: string; password: string }): Promise<SignedIn> {
  const code = given.text("code");
  try {
    return await weft.identity.login({ ...who, ...(code !== undefined && { code }) });
  } catch (error) {
    if (!(error instanceof WeftError) || error.code !== "second_factor_required") throw error;
    return weft.identity.login({ ...who, code: await ask("Code: ", "--code") });
  }
}

async function enterByPage(given: Invocation): Promise<void> {
  const url = await urlForSecrets(given);
  await settle(given, url, await enterOnPage(given, url));
}

async function enterByKey(given: Invocation): Promise<void> {
  const url = await urlForSecrets(given);
  const apiKey = (await askSecret("API key: ")).trim();
  const found = await onlyWorkspace(anonymous(url).with({ token: apiKey }));
  await keep(url, { apiKey, ...found });
  printResult(given.flag("json") ? jsonText({ url, ...found }) : `Signed in at ${url} with an API key.`);
}

async function whoami(given: Invocation): Promise<void> {
  const { url, weft } = await signedIn(given);
  const user = await weft.identity.me().catch((error: unknown) => {
    if (error instanceof WeftError && error.code === "api_key_not_allowed") return null;
    throw error;
  });
  if (given.flag("json")) return printResult(jsonText({ url, user }));
  printResult(withoutControls(user ? `${user.email} at ${url}` : `An API key at ${url}`));
}

async function logout(given: Invocation): Promise<void> {
  const url = await serviceUrl(given);
  if (process.env.WEFT_API_KEY) throw new CommandError("WEFT_API_KEY is set: unset it to stop using that key.");
  const { weft, account } = await signedIn(given);
  // The stored credentials are removed even if the service reports an error.
  const told = account.session
    ? await weft.identity.logout().then(
        () => true,
        () => false,
      )
    : true;
  await changeConfig(({ services }) => void delete services[url]);
  printResult(`Signed out at ${url}.`);
  if (!told) printMessage("The service did not answer, so the session stays valid there until it expires.");
}

export const ACCOUNT: Command[] = [
  {
    name: "login",
    summary: "Sign in to a service and make it the default",
    options: {
      ...EMAIL,
      ...CODE,
      browser: { type: "boolean", help: "sign in on the web page instead, with a provider, a passkey or a password" },
      open: { type: "boolean", help: "with --browser: open the page" },
      key: { type: "boolean", help: "use an API key instead" },
    },
    notes: SECRETS,
    run: given => {
      if (given.flag("browser")) return enterByPage(given);
      if (given.flag("key")) return enterByKey(given);
      return enter(given, (weft, email, password) => login(given, weft, { email, password }));
    },
  },
  {
    name: "register",
    summary: "Create an account at a service and sign in",
    options: { ...EMAIL, name: { type: "string", value: "name", help: "the name that others see" } },
    notes: SECRETS,
    run: given =>
      enter(given, (weft, email, password) => {
        const name = given.text("name");
        return weft.identity.register({ email, password, ...(name !== undefined && { name }) });
      }),
  },
  { name: "logout", summary: "Sign out and delete the stored tokens", run: logout },
  { name: "whoami", summary: "Show the signed-in user and the service", run: whoami },
];
