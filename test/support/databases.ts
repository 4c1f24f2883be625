import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSession, type SqlKind } from "../../adapters/sql/open-session.ts";
import type { SqlServer, SqlSession } from "../../adapters/sql/port.ts";
import { createGuardedConnect } from "../../adapters/net/guarded-connect.ts";
import { makeCertificates } from "./certificates.ts";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./server.ts";
import { until } from "./until.ts";

/** The folder of PostgreSQL's commands, which Debian does not put into PATH. */
const POSTGRES = globSync("/usr/lib/postgresql/*/bin").at(-1) ?? "";
const IS_ROOT = process.getuid?.() === 0;
export const PASSWORD = "a s3cret/pässword";

export const hasPostgres = existsSync(join(POSTGRES, "initdb"));
const hasMariadb = spawnSync("mariadbd", ["--version"]).status === 0;

/** Both servers refuse to run as root. */
const as = (user: string): [string, ...string[]] | [] =>
  IS_ROOT ? ["setpriv", `--reuid=${user}`, `--regid=${user}`, "--init-groups", "--"] : [];

/** A database server for one test. It can be stopped, and started again at the same address. */
export class Database {
  readonly access: SqlServer;
  readonly kind: SqlKind;
  /** The file of the certificate authority that signed the server's certificate. */
  readonly ca: string;
  readonly #folder: string;
  readonly #command: string[];
  #child: ChildProcess | undefined;

  constructor(kind: SqlKind, given: { folder: string; port: number; ca: string; command: string[] }) {
    this.kind = kind;
    this.#folder = given.folder;
    this.#command = given.command;
    this.ca = readFileSync(given.ca, "utf8");
    this.access = {
      ...{ host: "127.0.0.1", port: given.port, database: "weft", username: "weft", password: PASSWORD, tls: "off" },
    };
  }

  /** A separate connection for the test. */
  session(access: Partial<SqlServer> = {}): Promise<SqlSession> {
    const server = { ...this.access, ...access };
    return openSession(this.kind, server, createGuardedConnect({ allow: ["127.0.0.1"] }));
  }

  /** Performs a statement independently of the product, and returns its rows. */
  async ask(text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
    const session = await this.session();
    try {
      const [output] = await session.run({
        statements: [{ text, values, mode: "rows" }],
        ...{ readOnly: false, maxRows: 100_000, maxBytes: 1e8, timeoutMs: 60_000 },
        ...{ begun: () => Promise.resolve(), signal: new AbortController().signal },
      });
      return (output as { rows: Record<string, unknown>[] }).rows;
    } finally {
      session.close();
    }
  }

  async start(): Promise<this> {
    const [command = "", ...args] = this.#command;
    const child = (this.#child = spawn(command, args, { stdio: "ignore" }));
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${this.#command.join(" ")} ended: ${child.exitCode}`);
      return this.session().then(
        session => (session.close(), true),
        () => false,
      );
    });
    return this;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    // With SIGQUIT, PostgreSQL ends its processes at once. With SIGKILL, it would leave them running.
    child.kill(this.kind === "postgres" ? "SIGQUIT" : "SIGKILL");
    await once(child, "exit");
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A folder that the server's user can write to, with certificates. */
async function prepared(user: string) {
  const folder = await temporaryFolder();
  const certificates = makeCertificates(folder);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  for (const path of Object.values(certificates)) chmodSync(path, 0o600);
  if (IS_ROOT) execFileSync("chown", ["-R", `${user}:`, folder]);
  return { folder, data, ...certificates };
}

/** A PostgreSQL server for one test, with the database `weft`. The user has all rights in it. */
export async function startPostgres(): Promise<Database> {
  const { folder, data, ca, cert, key } = await prepared("postgres");
  const port = await freePort();
  const run = (command: string, args: string[], input = "") => {
    const [first = "", ...rest] = [...as("postgres"), join(POSTGRES, command), ...args];
    execFileSync(first, rest, { input, stdio: ["pipe", "ignore", "inherit"], cwd: "/" });
  };
  const password = join(folder, "password");
  writeFileSync(password, PASSWORD, { mode: 0o644 });
  const own = ["-U", "weft", "--auth=scram-sha-256", `--pwfile=${password}`, "--encoding=UTF8", "--locale=C.UTF-8"];
  run("initdb", ["-D", data, "--no-sync", ...own]);
  run("postgres", ["--single", "-D", data, "postgres"], "create database weft\n");
  const settings = {
    ...{ listen_addresses: "127.0.0.1", port, unix_socket_directories: "", fsync: "off", max_connections: 60 },
    ...{ ssl: "on", ssl_cert_file: cert, ssl_key_file: key, deadlock_timeout: "50ms" },
  };
  const given = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [...as("postgres"), join(POSTGRES, "postgres"), "-D", data, ...given];
  return new Database("postgres", { folder, port, ca, command }).start();
}

/** A MariaDB server for one test, with the database `weft`. */
export async function startMariadb(): Promise<Database> {
  const { folder, data, ca, cert, key } = await prepared("mysql");
  const port = await freePort();
  const user = IS_ROOT ? ["--user=mysql"] : [];
  execFileSync(
    "mariadb-install-db",
    ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db", ...user],
    { stdio: "ignore" },
  );
  const init = join(folder, "init.sql");
  const statements = [
    "CREATE DATABASE IF NOT EXISTS weft CHARACTER SET utf8mb4",
    `CREATE USER IF NOT EXISTS 'weft'@'%' IDENTIFIED BY '${PASSWORD}'`,
    "GRANT ALL ON weft.* TO 'weft'@'%'",
    "GRANT FILE ON *.* TO 'weft'@'%'",
  ];
  writeFileSync(init, statements.map(one => `${one};\n`).join(""), { mode: 0o644 });
  const settings = [
    ...["--no-defaults", `--datadir=${data}`, `--port=${port}`, "--bind-address=127.0.0.1", ...user],
    ...[`--socket=${join(data, "s")}`, `--pid-file=${join(data, "pid")}`, `--init-file=${init}`],
    ...[`--ssl-ca=${ca}`, `--ssl-cert=${cert}`, `--ssl-key=${key}`, "--local-infile=1", "--skip-name-resolve"],
    ...["--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=16M", "--max-connections=60"],
    "--character-set-server=utf8mb4",
  ];
  return new Database("mysql", { folder, port, ca, command: ["mariadbd", ...settings] }).start();
}

const KINDS = {
  postgres: { has: hasPostgres, start: startPostgres, what: "postgresql" },
  mysql: { has: hasMariadb, start: startMariadb, what: "mariadb-server" },
};

/**
 * Defines a suite that needs a database server. If none is installed, it fails in CI, and elsewhere the name of a test
 * says what is missing.
 */
export function describeWithDatabase(kind: SqlKind, define: (database: () => Database) => void): void {
  const { has, start, what } = KINDS[kind];
  describe(kind, () => {
    if (!has) {
      test(`without ${what} (apt-get install ${what}) the suite does not run here`, () => {
        if (process.env.CI) throw new Error(`${what} is not installed`);
      });
      return;
    }
    let database: Database;
    beforeAll(async () => {
      database = await start();
    });
    afterAll(() => database.remove());
    define(() => database);
  });
}
