import { Weft } from "../../sdk/weft.ts";
import { accessToken } from "./session.ts";

/** The API, in the name of the signed-in user. Its own retries are enough, so queries do not retry. */
export const weft = new Weft({ url: location.origin, token: accessToken, maxRetries: 2 });
