import { rootCertificates } from "node:tls";

/**
 * Whether an error code means that a connection could not be encrypted, or that the server's certificate was refused.
 * Another attempt would fail the same way.
 */
export const isTlsFault = (code: string): boolean =>
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/.test(code) || code === "HANDSHAKE_SSL_ERROR";

/** The library's message for such an error, without advice and numbers for developers. */
export function tlsFaultText(code: string, message: string): string {
  if (code === "ERR_SSL_WRONG_VERSION_NUMBER") return "the server answers without TLS at this port";
  return message.split(/;|\n/, 1)[0]!;
}

/** The certificate authorities that Node trusts, plus the user's own in PEM. */
export const authoritiesWith = (ca: string): string[] => [...rootCertificates, ca];
