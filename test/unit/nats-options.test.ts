import { connectionOptions } from "../../adapters/transport/connection-options.ts";

describe("how NATS_URL is read", () => {
  it("takes several servers, and never gives up on them", () => {
    const options = connectionOptions("nats://one:4222,nats://two:4223");
    expect(options).toMatchObject({ servers: ["one:4222", "two:4223"], maxReconnectAttempts: -1 });
    expect(options).not.toHaveProperty("tls");
  });

  it("takes a name and a password, written as a URL has them, or a token", () => {
    expect(connectionOptions("nats://me:p%40ss@one:4222")).toMatchObject({ user: "me", pass: "p@ss" });
    expect(connectionOptions("nats://one:4222,nats://t%2Fk@two:4222")).toMatchObject({ token: "t/k" });
  });

  it("insists on TLS where an address says so", () => {
    expect(connectionOptions("tls://one:4222")).toMatchObject({ servers: ["one:4222"], tls: {} });
  });
});
