import { Weft } from "../../sdk/weft.ts";
import { accessToken } from "./session.ts";

/** The API client of the signed-in user. It retries by itself, so queries do not retry. */
export const weft = new Weft({ url: location.origin, token: accessToken, maxRetries: 2 });
