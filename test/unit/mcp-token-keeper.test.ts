import { TokenKeeper } from "../../adapters/mcp/oauth/token-keeper.ts";
import type { McpOAuth, McpTokens } from "../../adapters/mcp/port.ts";

const held = (n: number): McpOAuth => ({ type: "oauth", accessToken: `access-${n}`, refreshToken: `refresh-${n}` });

describe("the tokens of a server", () => {
  it("stay the newest when an owner offers older ones", async () => {
    const keeper = new TokenKeeper(held(0), () => Promise.reject(new Error("not asked for")), Date.now);
    for (const n of [0, 1, 0, 2, 1, 0]) keeper.adopt(held(n), {});
    expect(await keeper.token()).toBe("access-2");
  });

  it("are stored with the refresh token that is valid from then on, rotated or not", async () => {
    const answers: McpTokens[] = [
      { accessToken: "access-1", refreshToken: "refresh-1" },
      { accessToken: "access-2", expiresAt: 9e15 },
    ];
    const kept: McpTokens[] = [];
    const owner = { onTokens: (tokens: McpTokens) => Promise.resolve(void kept.push(tokens)) };
    const used: unknown[] = [];
    const renew = ({ refreshToken }: McpOAuth) => (used.push(refreshToken), Promise.resolve(answers.shift()!));
    const keeper = new TokenKeeper(held(0), renew, Date.now);
    keeper.adopt(held(0), owner);
    await keeper.replace("access-0", {});
    // An owner that has read them before the first renewal.
    keeper.adopt(held(0), owner);
    await keeper.replace("access-1", {});
    expect(used).toEqual(["refresh-0", "refresh-1"]);
    expect(kept.map(({ refreshToken }) => refreshToken)).toEqual(["refresh-1", "refresh-1"]);
  });

  it("are not replaced by older ones that an owner offers during a renewal", async () => {
    const { promise, resolve } = Promise.withResolvers<McpTokens>();
    const keeper = new TokenKeeper(held(2), () => promise, Date.now);
    const renewing = keeper.replace("access-2", {});
    keeper.adopt(held(1), {});
    resolve({ accessToken: "access-3", refreshToken: "refresh-3" });
    await renewing;
    expect(await keeper.token()).toBe("access-3");
  });
});
