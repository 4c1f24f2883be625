import { McpError } from "../mcp-error.ts";
import { type McpOAuth, type McpTarget, type McpTokens, secretsOf } from "../port.ts";
import { type Challenge } from "./token-endpoint.ts";
import { isRenewable } from "./request-tokens.ts";

/**
 * Obtains new tokens for the held ones.
 * @throws {McpError} when that fails.
 */
export type Renew = (auth: McpOAuth, challenge: Challenge) => Promise<McpTokens>;

/** A token is renewed if it expires within this time, or within a quarter of its life if that is less. */
const MARGIN_MS = 60_000;
/** After a failed renewal, a token that is still valid is used for this long before the next attempt. */
const PAUSE_MS = 30_000;
const MAX_SUPERSEDED = 16;
/** Represents an absent token. An owner without a token may also have an outdated state. */
const NONE = "";

type Owner = Pick<McpTarget, "onTokens" | "renewAlone">;

/**
 * The OAuth tokens of one server. One renewal runs at a time, before the old tokens expire. The owner stores the new
 * tokens before they are used.
 */
export class TokenKeeper {
  readonly #renew: Renew;
  readonly #now: () => number;
  #auth: McpOAuth;
  #owner: Owner = {};
  #margin = MARGIN_MS;
  /** Tokens that are known to be older than the held ones. The owner may still have them. */
  #superseded: string[] = [];
  #unkept: McpTokens | undefined;
  #renewing: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(auth: McpOAuth, renew: Renew, now: () => number) {
    this.#auth = auth;
    this.#renew = renew;
    this.#now = now;
  }

  /**
   * Takes over the owner's current tokens. Unknown tokens come from another node and replace the held ones. No other
   * node obtains tokens while this renewal runs, so other tokens are older then.
   */
  adopt(auth: McpOAuth, owner: Owner): void {
    this.#owner = owner;
    const { accessToken } = auth;
    if (accessToken === this.#auth.accessToken || this.#superseded.includes(accessToken ?? NONE)) return;
    if (!this.#renewing) this.#take(auth);
  }

  #take(auth: McpOAuth): void {
    const { accessToken = NONE, refreshToken = NONE } = this.#auth;
    this.#superseded = [...this.#superseded, accessToken, refreshToken].slice(-MAX_SUPERSEDED);
    this.#auth = auth;
    this.#margin = MARGIN_MS;
    this.#unkept = undefined;
    this.#pausedUntil = 0;
  }

  secrets(): string[] {
    return [...secretsOf(this.#auth), ...this.#superseded];
  }

  /**
   * A token that is valid now, as far as this node can know.
   * @throws {McpError} when none can be obtained.
   */
  async token(): Promise<string> {
    const { accessToken, expiresAt = Infinity } = this.#auth;
    const now = this.#now();
    const isGood = accessToken !== undefined && now < expiresAt;
    if (isGood && (now < expiresAt - this.#margin || !isRenewable(this.#auth))) return this.#kept(accessToken);
    if (isGood && now < this.#pausedUntil) return this.#kept(accessToken);
    try {
      await this.#renewOnce({});
    } catch (error) {
      if (!isGood) throw error;
      this.#pausedUntil = this.#now() + PAUSE_MS;
    }
    return this.#kept(this.#auth.accessToken ?? "");
  }

  /**
   * Handles a refused token. Returns false if no other token can be obtained.
   * @throws {McpError} when the renewal fails.
   */
  async replace(refused: string, challenge: Challenge): Promise<boolean> {
    if (this.#auth.accessToken !== refused) return true;
    if (!isRenewable(this.#auth)) return false;
    await this.#renewOnce(challenge);
    return true;
  }

  async #kept(token: string): Promise<string> {
    if (this.#unkept) await this.#hand(this.#unkept);
    return token;
  }

  /**
   * Makes the owner store the tokens. Unstored tokens would be lost with this process, possibly with the only valid
   * refresh token.
   */
  async #hand(tokens: McpTokens): Promise<void> {
    try {
      await this.#owner.onTokens?.(tokens);
    } catch {
      throw new McpError("mcp_unauthorized", "New tokens were received but could not be stored: try again");
    }
    this.#unkept = undefined;
  }

  #renewOnce(challenge: Challenge): Promise<void> {
    this.#renewing ??= this.#obtain(challenge).finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  async #obtain(challenge: Challenge): Promise<void> {
    if (!isRenewable(this.#auth))
      throw new McpError(
        "mcp_unauthorized",
        this.#auth.accessToken === undefined
          ? "There is no access token, and nothing to obtain one with"
          : "The access token has expired, and there is nothing to renew it with",
      );
    // The owner still has tokens that are older than these.
    if (this.#unkept) await this.#hand(this.#unkept);
    const renew = () => this.#renewHeld(challenge);
    const { renewAlone = () => renew().then(() => null) } = this.#owner;
    const newer = await renewAlone(this.#auth, renew);
    if (newer) this.#take(newer);
  }

  async #renewHeld(challenge: Challenge): Promise<void> {
    const before = this.#auth;
    const { accessToken, refreshToken = before.refreshToken, expiresAt } = await this.#renew(before, challenge);
    const tokens = { accessToken, refreshToken, expiresAt };
    this.#take({ ...before, ...tokens });
    this.#margin = Math.min(MARGIN_MS, ((expiresAt ?? Infinity) - this.#now()) / 4);
    this.#unkept = tokens;
    await this.#hand(tokens);
  }
}
