import { rootCertificates } from "node:tls";

/** The certificate authorities that Node trusts, and one of the user's own in PEM. */
export const authoritiesWith = (ca: string): string[] => [...rootCertificates, ca];
