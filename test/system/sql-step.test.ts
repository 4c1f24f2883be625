import { type Api, newWorkflow, newWorkspace, runToEnd } from "../support/api.ts";
import { type Database, describeWithDatabase, PASSWORD } from "../support/databases.ts";
import { definition, node } from "../support/definition.ts";
import { start } from "../support/executions.ts";
import { upload, valueOf } from "../support/files.ts";
import { readLog, untilEnd } from "../support/follow.ts";
import { removeServer, type Server, startServer } from "../support/server.ts";
import { until } from "../support/until.ts";

const ENV = { WORKER_LEASE_MS: "1000", MAX_OUTPUT_BYTES: "1048576" };
let server: Server;
let api: Api;
let workspaceId: string;
let space: string;

const newCredential = async (type: string, data: object, more: object = {}): Promise<string> => {
  const given = { name: `c${Math.random()}`, type, data, ...more };
  const { status, body } = await api.post(`/v1/workspaces/${workspaceId}/credentials`, given);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id as string;
};
beforeAll(async () => {
  // A server of its own, because it is killed.
  server = await startServer({ env: ENV });
  ({ api, workspaceId, space } = await newWorkspace(server.url));
});
afterAll(() => removeServer(server));

const DIALECT = {
  postgres: {
    ...{ $1: "$1", $2: "$2", sleep: "SELECT pg_sleep($1)", duplicate: "23505", missing: "42P01", denied: "28P01" },
    readOnly: "25006",
    serial: "int generated always as identity primary key",
    counting: "SELECT count(*) AS n FROM pg_stat_activity WHERE usename = 'weft' AND datname = 'weft'",
    busy: "SELECT count(*) AS n FROM pg_stat_activity WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'",
  },
  mysql: {
    ...{ $1: "?", $2: "?", sleep: "SELECT SLEEP(?)", duplicate: "23000", missing: "42S02", denied: "28000" },
    readOnly: "25006",
    serial: "int auto_increment primary key",
    counting: "SELECT count(*) AS n FROM information_schema.processlist WHERE user = 'weft'",
    busy: "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'",
  },
};

const TYPES = {
  postgres: {
    query: `SELECT 9223372036854775807::bigint AS a, 42::bigint AS b, 12345678901234567890.123456789::numeric AS c,
      '2026-05-01'::date AS d, '2026-05-01 10:20:30.123456'::timestamp AS e, '2026-05-01 10:20:30.123456+02'::timestamptz AS f,
      '{"n": 12345678901234567890, "m": 1.5}'::jsonb AS g, '\\x00ff'::bytea AS h, ARRAY[1, 9007199254740993]::bigint[] AS i, true AS j,
      0.1::real AS k, 'NaN'::float8 AS l, ARRAY[[1,2],[3,4]] AS m, NULL::int AS n, 1 AS o, 2 AS o,
      '1 day 02:00'::interval AS p, '0190a000-0000-7000-8000-000000000000'::uuid AS q`,
    row: {
      ...{ a: "9223372036854775807", b: 42, c: "12345678901234567890.123456789", d: "2026-05-01" },
      ...{
        e: "2026-05-01T10:20:30.123456",
        f: "2026-05-01T08:20:30.123456Z",
        g: { n: "12345678901234567890", m: 1.5 },
      },
      ...{ h: "AP8=", i: [1, "9007199254740993"], j: true, k: 0.1, l: "NaN", n: null, o: 1, o_2: 2, p: "P1DT2H" },
      ...{
        m: [
          [1, 2],
          [3, 4],
        ],
        q: "0190a000-0000-7000-8000-000000000000",
      },
    },
    bound: {
      query: "SELECT $1::jsonb AS a, $2 = ANY($3::int[]) AS b, $4::numeric AS c, $5::timestamptz AS d",
      parameters: [{ x: [1, "'"] }, 2, [1, 2], "0.10", "2026-05-01T10:00:00Z"],
      row: { a: { x: [1, "'"] }, b: true, c: "0.10", d: "2026-05-01T10:00:00Z" },
    },
  },
  mysql: {
    query: `SELECT CAST(9223372036854775807 AS SIGNED) AS a, 42 AS b, CAST('12345678901234567890.123456789' AS DECIMAL(40,9)) AS c,
      CAST('2026-05-01' AS DATE) AS d, CAST('2026-05-01 10:20:30.123456' AS DATETIME(6)) AS e,
      CAST(18446744073709551615 AS UNSIGNED) AS f, x'00ff' AS h, CAST(0.1 AS FLOAT) AS k, NULL AS n, 1 AS o, 2 AS o,
      CAST('10:20:30' AS TIME) AS p, b'101' AS q`,
    row: {
      ...{ a: "9223372036854775807", b: 42, c: "12345678901234567890.123456789", d: "2026-05-01" },
      ...{ e: "2026-05-01T10:20:30.123456", f: "18446744073709551615", h: "AP8=", k: 0.1, n: null, o: 1, o_2: 2 },
      ...{ p: "10:20:30", q: "BQ==" },
    },
    bound: {
      query: "SELECT JSON_VALUE(?, '$.x[1]') AS a, ? AS b, ? AS c, ? AS d",
      parameters: [{ x: [1, "'"] }, 9007199254740991, 0.5, null],
      row: { a: "'", b: 9007199254740991, c: 0.5, d: null },
    },
  },
};

const ONCE = { policy: { retry: { maxAttempts: 1 } } };

describe.each(["postgres", "mysql"] as const)("the sql step", kind => {
  describeWithDatabase(kind, database => {
    const { $1, $2, ...say } = DIALECT[kind];
    let credential: string;
    let db: Database;
    const stepOf = (data: object, extra: object = ONCE) =>
      definition([node("a", "sql", { credential, ...data }, extra)]);
    const run = (data: object, input: unknown = null, extra: object = ONCE) =>
      runToEnd(api, space, stepOf(data, extra), input);
    const count = async (text: string) => Number((await db.ask(text))[0]!.n);

    beforeAll(async () => {
      db = database();
      credential = await newCredential(kind, db.access);
      await db.ask(`CREATE TABLE t (id ${say.serial}, name varchar(200) unique, n int)`);
      await db.ask("CREATE TABLE big (n int, text varchar(200))");
    });

    test("binds values, so that none of them changes what a query does", async () => {
      const evil = `x'); DROP TABLE t; -- ${"$1"} ? \\' " \u0000`.replace("\u0000", "");
      const insert = {
        query: `INSERT INTO t (name, n) VALUES (${$1}, ${$2})`,
        parameters: ["{{ input.name }}", "{{ input.n }}"],
      };
      const { output } = await run({ ...insert, mode: "execute" }, { name: evil, n: 7 });
      expect(output).toEqual({ affected: 1, insertId: kind === "mysql" ? 1 : null });
      const select = {
        query: `SELECT id, name, n FROM t WHERE name = ${$1}`,
        parameters: ["{{ input }}"],
        readOnly: true,
      };
      expect((await run(select, evil)).output).toEqual({ rows: [{ id: 1, name: evil, n: 7 }], truncated: false });
      expect((await run({ ...select, mode: "one" }, evil)).output).toEqual({ row: { id: 1, name: evil, n: 7 } });
      expect((await run({ ...select, mode: "one" }, "' OR '1'='1")).output).toEqual({ row: null });
    });

    test("rejects expressions in a query, and statements that leave the transaction or move files", async () => {
      for (const data of [
        { query: "SELECT {{ input }}" },
        { query: "{{ input }}" },
        { query: "{{ input }}", maxRows: "{{ input }}" },
        { statements: "{{ input }}" },
        { statements: ["{{ input }}"] },
        { statements: [{ query: "SELECT {{ input }}" }] },
        ...["COMMIT", " /* c */ begin", "-- c\nROLLBACK", "SET ROLE x", "COPY t FROM PROGRAM 'id'", ""].map(query => ({
          query,
        })),
        ...["LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t", "/*! COMMIT */"].map(query => ({ query })),
      ]) {
        const { error } = await run(data, "1; DROP TABLE t");
        expect({ data, code: error?.code }).toEqual({ data, code: "invalid_definition" });
      }
      const several = await run({ query: "SELECT 1; DROP TABLE t", readOnly: true });
      expect(several.error.code).toBe(kind === "postgres" ? "42601" : "42000");
      expect(await count("SELECT count(*) AS n FROM t")).toBeGreaterThanOrEqual(0);
    });

    test("runs several statements as one transaction that applies completely or not at all", async () => {
      const insert = (name: string) => ({ query: `INSERT INTO t (name, n) VALUES (${$1}, 1)`, parameters: [name] });
      const read = { query: "SELECT count(*) AS n FROM t WHERE n = 1", mode: "one" };
      const both = await run({ statements: [insert("one"), insert("two"), read] });
      expect(both.output.results).toMatchObject([{ affected: 1 }, { affected: 1 }, { row: { n: 2 } }]);
      const none = await run({ statements: [insert("three"), insert("one")] });
      expect(none.error).toMatchObject({ code: say.duplicate, details: { sqlState: say.duplicate } });
      expect(await count("SELECT count(*) AS n FROM t WHERE name = 'three'")).toBe(0);
    });

    test("cannot write if it is read-only, and changes nothing in a test of the step", async () => {
      const write = { query: "INSERT INTO t (name, n) VALUES ('ro', 9)", mode: "execute" };
      expect((await run({ ...write, readOnly: true })).error.code).toBe(say.readOnly);
      const workflowId = await newWorkflow(api, space, stepOf(write));
      const tried = await api.post(`${space}/workflows/${workflowId}/test`, { nodeId: "a" });
      expect(tried).toMatchObject({ status: 200, body: { outcome: "completed", output: null } });
      expect(await count("SELECT count(*) AS n FROM t WHERE n = 9")).toBe(0);
    });

    test("limits rows, bytes and time", async () => {
      const some = Array.from({ length: 50 }, (_, n) => `(${n}, '${"x".repeat(200)}')`);
      await db.ask(`INSERT INTO big VALUES ${some.join(", ")}`);
      const cross = "SELECT a.n FROM big a, big b, big c";
      const { output } = await run({ query: cross, maxRows: 600, readOnly: true });
      expect([output.rows.length, output.truncated]).toEqual([600, true]);
      const wide = await run({
        query: "SELECT a.text AS a, b.text AS b, c.text AS c FROM big a, big b, big c",
        maxRows: 100_000,
      });
      expect(wide.error.code).toBe("output_too_large");
      const late = await run({ query: say.sleep, parameters: [20], timeoutMs: 300, readOnly: true });
      expect(late.error.code).toBe("statement_timeout");
      await until(async () => (await count(say.busy)) === 0);
    });

    test("reports errors by their SQLSTATE, without secrets", async () => {
      expect((await run({ query: "SELECT * FROM missing" })).error.code).toBe(say.missing);
      const secret = await newCredential(
        "fields",
        { pin: "pin-4711-secret" },
        { name: `Pin${kind}`, hosts: ["127.0.0.1:" + db.access.port] },
      );
      expect(secret).toBeTruthy();
      const cast =
        kind === "postgres"
          ? "SELECT $1::text::int"
          : "SELECT * FROM t WHERE n = JSON_VALUE(?, '$[') + (SELECT 1 UNION SELECT 2)";
      const told = await run({ query: cast, parameters: [`{{ secrets.Pin${kind}.pin }}`] });
      expect(told.status).toBe("failed");
      expect(JSON.stringify(told)).not.toContain("pin-4711-secret");
      const wrong = await newCredential(kind, { ...db.access, password: "wr0ng-password" });
      const denied = await run({ credential: wrong, query: "SELECT 1" });
      expect(denied.error.code).toBe(say.denied);
      expect(JSON.stringify(denied)).not.toContain("wr0ng-password");
      expect(JSON.stringify(denied)).not.toContain(PASSWORD);
    });

    test("encrypts the connection, and checks the certificate for the requested host name", async () => {
      const read = { query: "SELECT 1 AS one", readOnly: true };
      const { ca, access } = db;
      const outcome = async (more: object) => {
        const id = await newCredential(kind, { ...access, ...more });
        const { output, error } = await run({ ...read, credential: id });
        return error?.code ?? output.rows[0].one;
      };
      expect(await outcome({ tls: "verify", ca })).toBe(1);
      expect(await outcome({ tls: "require" })).toBe(1);
      expect(await outcome({ tls: "verify" })).toBe("tls_failed");
    });

    test("applies the outbound guard and the hosts of the credential", async () => {
      const closed = await newCredential(kind, { ...db.access, host: "169.254.169.254" });
      const { error } = await run({ credential: closed, query: "SELECT 1" });
      expect(error.code).toBe("outbound_refused");
      const other = await newCredential("bearer", { token: "x".repeat(20) }, { hosts: ["example.com"] });
      expect((await run({ credential: other, query: "SELECT 1" })).error.code).toBe("credential_not_usable");
    });

    test("returns values of all types without loss", async () => {
      const { output } = await run({ query: TYPES[kind].query, readOnly: true, mode: "one" });
      expect(output.row).toEqual(TYPES[kind].row);
      const { parameters, row } = TYPES[kind].bound;
      const back = await run({ query: TYPES[kind].bound.query, parameters, readOnly: true, mode: "one" });
      expect(back.output.row).toEqual(row);
    });

    test("binds a file as its bytes", async () => {
      const bytes = Buffer.from([0, 1, 2, 255, 39, 92]);
      const sent = await upload(api, workspaceId, bytes, { name: "a.bin", type: "application/octet-stream" });
      const query = kind === "postgres" ? "SELECT $1::bytea AS b" : "SELECT CAST(? AS BINARY) AS b";
      const { output } = await run({ query, parameters: ["{{ input }}"], readOnly: true }, valueOf(sent.body));
      expect(output.rows[0].b).toBe(bytes.toString("base64"));
    });

    test("fails with unknown_outcome if it is killed during a statement, unless it may be repeated", async () => {
      const paths: string[] = [];
      for (const more of [{}, { idempotent: true }, { readOnly: true }]) {
        const step = stepOf({ query: say.sleep, parameters: [3], ...more }, { policy: { retry: { maxAttempts: 3 } } });
        paths.push((await start(api, space, await newWorkflow(api, space, step))).path);
      }
      await until(async () => (await count(say.busy)) === 3);
      const { dataDir } = server;
      await server.stop("SIGKILL");
      server = await startServer({ dataDir, env: ENV });
      api = api.at(server.url);
      const [cutOff, idempotent, reading] = await Promise.all(paths.map(path => untilEnd(api, path)));
      expect([cutOff.error?.code, idempotent.status, reading.status]).toEqual([
        "unknown_outcome",
        "completed",
        "completed",
      ]);
      // A person who has looked may perform it again.
      const { body } = await api.post(`${paths[0]}/retry`, {});
      expect((await untilEnd(api, `${space}/executions/${body.id}`)).status).toBe("completed");
    });

    test("retries after a loss before the statements were sent, and reports an unknown outcome after it", async () => {
      const slow = stepOf(
        { query: say.sleep, parameters: [20] },
        // The end of the connection ends the step, and not its time limit.
        { policy: { timeoutMs: 3_600_000, retry: { maxAttempts: 3, initialMs: 50 } } },
      );
      const { path } = await start(api, space, await newWorkflow(api, space, slow));
      await until(async () => (await count(say.busy)) === 1);
      await db.kill();
      expect((await untilEnd(api, path)).error.code).toBe("unknown_outcome");
      const many = { policy: { retry: { maxAttempts: 50, initialMs: 200, maxMs: 200 } } };
      const waiting = await start(
        api,
        space,
        await newWorkflow(api, space, stepOf({ query: "SELECT 1 AS one" }, many)),
      );
      await until(async () => (await readLog(api, waiting.path)).some(({ event }) => event === "step.retrying"));
      await db.start();
      expect((await untilEnd(api, waiting.path)).output.rows).toEqual([{ one: 1 }]);
    });

    test("closes connections when the credential changes or is deleted", async () => {
      const own = await newCredential(kind, db.access);
      expect((await run({ credential: own, query: "SELECT 1 AS one", readOnly: true })).status).toBe("completed");
      const before = await count(say.counting);
      expect((await api.delete(`/v1/workspaces/${workspaceId}/credentials/${own}?force=true`)).status).toBe(204);
      await until(async () => (await count(say.counting)) < before);
    });
  });
});
