import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Api } from "../support/api.ts";
import { freePort } from "../support/free-port.ts";
import { linkIn, MailSink } from "../support/mail-sink.ts";
import { expectProblem } from "../support/problem.ts";
import { removeServer, type Server, startServer, temporaryFolder } from "../support/server.ts";
import { sharedServer } from "../support/shared.ts";

const password = "correct horse battery";
let sink: MailSink;
let server: Server;
let port: number;
let dataDir: string;
let api: Api;
let count = 0;
let ahead = 0;
/** Longer than the lease on a mail, and than the pause before its next attempt. */
const LEASE_MS = 120_000;

/** Sets the clock of the server that runs, or of the next one. */
function setClock(to: number): void {
  ahead = to;
  writeFileSync(join(dataDir, "clock"), `${ahead}`);
  server.process.kill("SIGUSR2");
}

async function start(): Promise<void> {
  const env = {
    SMTP_URL: sink.url,
    MAIL_FROM: "Weft <weft@example.com>",
    PUBLIC_URL: "https://weft.example.com",
    CLOCK_FILE: join(dataDir, "clock"),
    NODE_OPTIONS: "--import ./test/support/shifted-clock.ts",
  };
  server = await startServer({ dataDir, port, env });
  api = new Api(server.url);
}

beforeAll(async () => {
  sink = await new MailSink().start();
  [dataDir, port] = await Promise.all([temporaryFolder(), freePort()]);
  await start();
});
afterAll(async () => {
  await removeServer(server);
  await sink.stop();
});

async function newPerson(): Promise<{ email: string; me: Api }> {
  const email = `mail-${process.pid}-${++count}@example.com`;
  const { body } = await api.post("/v1/auth/register", { email, password });
  return { email, me: api.as(body.accessToken as string) };
}
const forgot = (email: string) => api.post("/v1/auth/password/forgot", { email });
const tokenOf = (link: string) => /#token=([\w-]+)$/.exec(link)?.[1] ?? "";
const reset = (token: string, next: string) => api.post("/v1/auth/password/reset", { token, password: next });

it("resets a forgotten password by email, and notifies the person", async () => {
  expect((await api.get("/v1/installation")).body.mail).toBe(true);
  const { email, me } = await newPerson();
  const answers = [await forgot(email), await forgot("nobody-at-all@example.com")];
  expect(answers.map(({ status, body }) => [status, body])).toEqual([
    [204, null],
    [204, null],
  ]);
  const [mail] = await sink.to(email);
  expect([mail!.from?.address, mail!.to_, mail!.subject]).toEqual([
    "weft@example.com",
    [email],
    "Set a new password for Weft",
  ]);
  const link = linkIn(mail!);
  expect(mail!.html).toContain(`href="${link}"`);
  expect(link).toMatch(/^https:\/\/weft\.example\.com\/reset-password#token=wfl_/);
  expect((await reset(tokenOf(link), "another horse battery")).status).toBe(204);
  expect((await me.get("/v1/auth/me")).status).toBe(401);
  expectProblem(await reset(tokenOf(link), "one more horse battery"), 410, "link_invalid");
  const [, told] = await sink.to(email, 2);
  expect(told!.subject).toBe("Your password for Weft was changed");
  expect(sink.mails.some(({ to_ }) => to_.includes("nobody-at-all@example.com"))).toBe(false);
});

it("sends an account a limited number of links", async () => {
  const { email } = await newPerson();
  for (let n = 0; n < 8; n++) await forgot(email);
  await sink.to(email, 5);
  // A later request of another person is answered after all of these.
  const other = await newPerson();
  await forgot(other.email);
  await sink.to(other.email);
  expect(sink.mails.filter(({ to_ }) => to_.includes(email))).toHaveLength(5);
});

it("mails an invite, in which hostile names add no header, no markup and no link", async () => {
  const { me } = await newPerson();
  const name = `<script>alert(1)</script>"'&\r\nBcc: evil@example.com\r\n\r\n<a href="https://evil.example">Win</a>`;
  await me.patch("/v1/auth/me", { name: `Eve\r\nTo: evil@example.com\u202e<img src=x>` });
  const workspace = (await me.post("/v1/workspaces", { name })).body.id as string;
  const email = `invited-${process.pid}@example.com`;
  const { body: invite } = await me.post(`/v1/workspaces/${workspace}/invites`, { email });
  const [mail] = await sink.to(email);
  expect(mail!.to_).toEqual([email]);
  expect([mail!.to?.map(one => one.address), mail!.cc, mail!.bcc]).toEqual([[email], undefined, undefined]);
  expect(mail!.headers.map(({ key }) => key)).not.toContain("bcc");
  expect(mail!.subject).not.toMatch(/[\r\n]/);
  const html = mail!.html!;
  expect(html).not.toMatch(/<script|<img|evil\.example"|<a href="https:\/\/evil/i);
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).not.toContain("\u202e");
  // The names stay in their paragraph of the text, too.
  expect(mail!.text!.split(/\r?\n/).filter(line => line.includes("evil"))).toHaveLength(1);
  expect(linkIn({ ...mail!, text: mail!.text!.replaceAll("https://evil.example", "") })).toBe(invite.link);
  expect(invite.link).toBe(`https://weft.example.com/#invite=${invite.token as string}`);
  const offer = await api.post("/v1/invites/read", { token: invite.token });
  expect(offer.body.email).toBe(email);
});

it("delivers an email once over an outage of the SMTP server and of the process", async () => {
  const { email } = await newPerson();
  await sink.stop();
  await forgot(email);
  await server.stop("SIGKILL");
  await sink.start();
  // The process may have died in the middle of an attempt.
  setClock(ahead + LEASE_MS);
  await start();
  const mails = await sink.to(email);
  expect(mails).toHaveLength(1);
});

it("sends a mail again under the same Message-ID if the process dies during delivery", async () => {
  const { email } = await newPerson();
  let attempts = 0;
  const taken = new Promise<void>(resolve => {
    sink.before = async raw => {
      if (!raw.includes(email)) return;
      attempts++;
      if (attempts > 1) return;
      // The server has the mail, and the process dies before it hears so.
      await server.stop("SIGKILL");
      resolve();
    };
  });
  await forgot(email);
  await taken;
  setClock(ahead + LEASE_MS);
  await start();
  const mails = await sink.to(email, 2);
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(1);
  expect(new Set(mails.map(linkIn)).size).toBe(1);
  sink.before = () => undefined;
});

it("drops a permanently rejected email, and retries a temporarily rejected one", async () => {
  const [never, later] = [await newPerson(), await newPerson()];
  const tries = { never: 0, later: 0 };
  sink.before = raw => {
    if (raw.includes(never.email)) {
      tries.never++;
      throw Object.assign(new Error("No such person"), { responseCode: 550 });
    }
    if (raw.includes(later.email) && ++tries.later < 3) {
      throw Object.assign(new Error("Busy"), { responseCode: 451 });
    }
  };
  await forgot(never.email);
  await forgot(later.email);
  expect(await sink.to(later.email)).toHaveLength(1);
  expect(tries).toEqual({ never: 1, later: 3 });
  sink.before = () => undefined;
});

it("sends no email without an SMTP server, and the installation says so", async () => {
  const plain = new Api((await sharedServer()).url);
  expect((await plain.get("/v1/installation")).body.mail).toBe(false);
  expectProblem(await plain.post("/v1/auth/password/forgot", { email: "a@example.com" }), 409, "no_mail_configured");
});

it("requires both addresses to confirm a new one, and then ignores reset links sent to the old one", async () => {
  const { email, me } = await newPerson();
  const next = `moved-${email}`;
  await forgot(email);
  const [resetMail] = await sink.to(email);
  const asked = await me.patch("/v1/auth/me", { email: next, password: { current: password } });
  expect([asked.status, asked.body.email]).toEqual([200, email]);
  const [[, atFormer], [atNext]] = await Promise.all([sink.to(email, 2), sink.to(next)]);
  const confirm = (mail: typeof atNext) => api.post("/v1/auth/email/confirm", { token: tokenOf(linkIn(mail!)) });
  expect((await confirm(atNext)).body).toEqual({ email: next, done: false });
  expect((await confirm(atNext)).body).toEqual({ email: next, done: false });
  expect((await me.get("/v1/auth/me")).body.email).toBe(email);
  expect((await confirm(atFormer)).body).toEqual({ email: next, done: true });
  expect((await me.get("/v1/auth/me")).body.email).toBe(next);
  expectProblem(await confirm(atFormer), 410, "link_invalid");
  expectProblem(await reset(tokenOf(linkIn(resetMail!)), "another horse battery"), 410, "link_invalid");
  expect((await api.post("/v1/auth/login", { email: next, password })).status).toBe(200);
});

it("does not assign an address that was taken meanwhile, and lets a newer request replace an older one", async () => {
  const [one, other] = [await newPerson(), await newPerson()];
  await one.me.patch("/v1/auth/me", { email: `first-${one.email}`, password: { current: password } });
  const [stale] = await sink.to(`first-${one.email}`);
  await one.me.patch("/v1/auth/me", { email: other.email, password: { current: password } });
  expectProblem(await api.post("/v1/auth/email/confirm", { token: tokenOf(linkIn(stale!)) }), 410, "link_invalid");
  const [atNext] = await sink.to(other.email);
  const atFormer = (await sink.to(one.email, 2))[1];
  await api.post("/v1/auth/email/confirm", { token: tokenOf(linkIn(atNext!)) });
  const last = await api.post("/v1/auth/email/confirm", { token: tokenOf(linkIn(atFormer!)) });
  expectProblem(last, 409, "email_taken");
});

it("emails notifications by preference: at once, as an hourly digest, or not at all", async () => {
  const owner = await newPerson();
  const workspace = (await owner.me.post("/v1/workspaces", { name: "Mailing" })).body.id as string;
  const members = `/v1/workspaces/${workspace}/members`;
  const member = async (mails: string) => {
    const person = await newPerson();
    const { body } = await owner.me.post(`/v1/workspaces/${workspace}/invites`, {
      email: person.email,
      role: "viewer",
    });
    await person.me.post("/v1/invites/accept", { token: body.token });
    const profile = await person.me.patch("/v1/auth/me", { mails });
    expect(profile.body.mails).toBe(mails);
    return { ...person, path: `${members}/${profile.body.id}` };
  };
  const [now, hourly, none] = [await member("now"), await member("hourly"), await member("none")];
  const HOUR = 3_600_000;
  // Not at the end of an hour, so that all changes are in one.
  const left = HOUR - ((Date.now() + ahead) % HOUR);
  const begin = ahead + (left < 60_000 ? left : 0);
  setClock(begin);
  for (const role of ["editor", "admin"]) {
    for (const { path } of [hourly, none, now]) await owner.me.patch(path, { role });
    // Each change is told of before the next one.
    await sink.to(now.email, role === "editor" ? 2 : 3);
  }
  const told = (await sink.to(now.email, 3)).slice(1);
  expect(told.map(({ subject }) => subject)).not.toContain("2 notifications");
  const count = (email: string) => sink.mails.filter(({ to_ }) => to_.includes(email)).length;
  // Of the invite alone.
  expect([count(hourly.email), count(none.email)]).toEqual([1, 1]);
  setClock(begin + HOUR);
  // A new notification makes the service look for due mails at once. Otherwise it does so every fifteen seconds.
  const { body: session } = await api.post("/v1/auth/login", { email: owner.email, password });
  const changed = await api.as(session.accessToken as string).patch(now.path, { role: "viewer" });
  expect(changed.status).toBe(200);
  const [, digest] = await sink.to(hourly.email, 2);
  expect(digest!.subject).toBe("2 notifications");
  expect(count(none.email)).toBe(1);
});
