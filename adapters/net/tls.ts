import { rootCertificates } from "node:tls";

/**
 * Whether the code of an error says that a connection could not be encrypted, or that the server's certificate was
 * refused. Another attempt would meet the same server.
 */
export const isTlsFault = (code: string): boolean =>
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code) || code === "HANDSHAKE_SSL_ERROR";

/** What the library says of such an error, without the advice and the numbers that are for its own developers. */
export function tlsFaultText(code: string, message: string): string {
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return "the server answers without TLS at this port";
  return message.split(/;|\n/, 1)[0]!;
}

/** The certificate authorities that Node trusts, and one of the user's own in PEM. */
export const authoritiesWith = (ca: string): string[] => [...rootCertificates, ca];
