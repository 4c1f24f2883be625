import { connectionOptions, namespaceOf } from "../../adapters/transport/connection-options.ts";

describe("how NATS_URL is read", () => {
  it("accepts several servers, and never stops reconnecting", () => {
    const options = connectionOptions("nats://one:4222,nats://two:4223");
    expect(options).toMatchObject({ servers: ["one:4222", "two:4223"], maxReconnectAttempts: -1 });
    expect(options).not.toHaveProperty("tls");
  });

  it("accepts a name and a password in URL form, or a token", () => {
    expect(connectionOptions("nats://me:p%40ss@one:4222")).toMatchObject({ user: "me", pass: "p@ss" });
    expect(connectionOptions("nats://one:4222,nats://t%2Fk@two:4222")).toMatchObject({ token: "t/k" });
  });

  it("requires TLS if an address says so", () => {
    expect(connectionOptions("tls://one:4222")).toMatchObject({ servers: ["one:4222"], tls: {} });
  });

  it("reads files for TLS by the parameter names of MongoDB addresses", () => {
    const file = "package.json";
    const { tls } = connectionOptions(`tls://one:4222?tlsCAFile=${file}&tlsCertFile=${file}&tlsKeyFile=${file}`);
    expect(tls).toEqual({ caFile: file, certFile: file, keyFile: file });
  });

  it("compares the certificate of an IP address with that address", () => {
    expect(connectionOptions("tls://127.0.0.1:4222,tls://one:4222").tls).toEqual({ host: "127.0.0.1" });
    expect(connectionOptions("tls://[::1]:4222").tls).toEqual({ host: "::1" });
  });

  it("separates installations on one server by the namespace in the address", () => {
    expect(namespaceOf("nats://one:4222,nats://two:4222")).toBe("weft");
    expect(namespaceOf("nats://one:4222?namespace=staging,nats://two:4222")).toBe("staging");
    expect(connectionOptions("nats://one:4222?namespace=staging")).toMatchObject({ servers: ["one:4222"] });
    for (const query of ["?namespace=a.b", "?namespace=", "?namespace=a,nats://two?namespace=b"]) {
      expect(() => namespaceOf(`nats://one${query}`)).toThrow(/^NATS_URL: [^\n]+$/);
    }
  });

  it.each([
    "nats://u:hunter2/x@one:4222",
    "nats://u:hunter2%zz@one:4222",
    "tls://hunter2@one:4222?hunter2=1",
    "tls://u:hunter2@one:4222?tlsCAFile=/nowhere/ca.pem",
    "nats://u:hunter2@one:4222?tlsCAFile=package.json",
    "tls://u:hunter2@127.0.0.1:4222,tls://127.0.0.2:4222",
    "nats://u:hunter2@one:4222/hunter2",
  ])("rejects %s in one line that repeats no secret", address => {
    const read = () => connectionOptions(address);
    expect(read).toThrow(/^NATS_URL: [^\n]+$/);
    expect(read).not.toThrow("hunter2");
  });
});
