import { SendError } from "../../adapters/mail/send-mail.ts";
import { signInToMail } from "../../adapters/mail/sign-in.ts";
import { type GuardedConnect, placeUrl } from "../../adapters/net/guarded-connect.ts";
import { OutboundError } from "../../adapters/net/outbound-error.ts";
import type { GuardedFetch } from "../../adapters/net/port.ts";
import { openSession, type SqlKind } from "../../adapters/sql/open-session.ts";
import { SqlError } from "../../adapters/sql/port.ts";
import { readErrorCode } from "../../adapters/storage/s3-answers.ts";
import { addressOf, serviceAddress, signRequest } from "../../adapters/storage/s3-requests.ts";
import type { OutputOf } from "../../contracts/actions.ts";
import type { OpenedCredential } from "../../contracts/credentials/opened.ts";
import { type CredentialData, secretValues } from "../../contracts/credentials/types.ts";
import { isAllowedHost } from "../../core/credentials/allowed-host.ts";
import { maskerOf } from "../../core/credentials/mask.ts";
import { testModel } from "./test-model.ts";

type Result = OutputOf<"credentials.test">;

interface Trial {
  opened: OpenedCredential;
  net: GuardedFetch;
  connect: GuardedConnect;
  /** Aborts the test. */
  signal: AbortSignal;
}

const TEST_MS = 10_000;
const MAX_BYTES = 65_536;

const plain = (ok: boolean, message: string): Result => ({ ok, message, status: null, body: null });

/** @throws {OutboundError} when the credential may not be sent there */
function check({ hosts }: OpenedCredential, url: URL): void {
  if (!isAllowedHost(hosts, url))
    throw new OutboundError("outbound_refused", `The credential may not be sent to ${url.host}`);
}

async function testSql({ opened, connect, signal }: Trial): Promise<Result> {
  const server = opened.data as CredentialData<"postgres">;
  check(opened, placeUrl(server.host, server.port));
  const session = await openSession(opened.type as SqlKind, server, connect, signal);
  session.close();
  return plain(true, `The database "${server.database}" is open to this user.`);
}

async function testMail({ opened, connect, signal }: Trial): Promise<Result> {
  const server = opened.data as CredentialData<"smtp">;
  const { host, port, username } = server;
  check(opened, placeUrl(host, port));
  const socket = await connect({ host, port, signal, timeoutMs: TEST_MS });
  await signInToMail(socket, server, TEST_MS);
  return plain(true, username === undefined ? "The mail server answers." : "The mail server accepts the user.");
}

/** Requests one key of the bucket, or the list of buckets if the credential names none. */
async function testStorage({ opened, net, signal }: Trial): Promise<Result> {
  const access = opened.data as CredentialData<"s3">;
  const url = access.bucket === undefined ? serviceAddress(access) : addressOf(access, access.bucket);
  if (access.bucket !== undefined) url.search = "list-type=2&max-keys=1";
  const { status, body } = await net.fetch({
    ...{ url: url.href, signal, timeoutMs: TEST_MS, maxBytes: MAX_BYTES, maxRedirects: 0 },
    sign: hop => {
      check(opened, hop.url);
      return signRequest(access, hop);
    },
  });
  const ok = status >= 200 && status < 300;
  const code = ok ? "" : readErrorCode(Buffer.from(body).toString());
  return { ...plain(ok, `The storage answered ${status}${code && ` ${code}`}.`), status };
}

const TESTS: Partial<Record<OpenedCredential["type"], (trial: Trial) => Promise<Result>>> = {
  postgres: testSql,
  mysql: testSql,
  smtp: testMail,
  s3: testStorage,
  model: ({ net, opened }) => testModel(net, opened),
};

/**
 * Signs in to the server of a credential, and changes nothing there. Undefined for a type that has no server of its
 * own. Messages of the server are returned without the secrets.
 */
export async function testConnection(
  opened: OpenedCredential,
  { net, connect }: Pick<Trial, "net" | "connect">,
): Promise<Result | undefined> {
  const signal = AbortSignal.timeout(TEST_MS);
  const mask = maskerOf(secretValues(opened.type, opened.data));
  try {
    return await TESTS[opened.type]?.({ opened, net, connect, signal });
  } catch (error) {
    const isKnown = error instanceof SqlError || error instanceof SendError || error instanceof OutboundError;
    if (!isKnown) throw error;
    if (signal.aborted) return plain(false, `The server did not answer within ${TEST_MS / 1_000} s.`);
    return plain(false, mask(error.message));
  }
}
