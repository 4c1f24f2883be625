import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificates {
  ca: string;
  cert: string;
  key: string;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/**
 * Creates a certificate authority for a test, and its certificate for 127.0.0.1, as files in this folder. Requires
 * openssl.
 */
export function makeCertificates(folder: string): Certificates {
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  const [ca, caKey, cert, key, request] = ["ca.pem", "ca.key", "cert.pem", "cert.key", "cert.csr"].map(path);
  openssl("req", "-x509", ...KEY, "-days", "2", "-subj", "/CN=a test's authority", "-keyout", caKey!, "-out", ca!);
  openssl("req", "-new", ...KEY, "-subj", "/CN=127.0.0.1", "-keyout", key!, "-out", request!);
  const extensions = path("extensions");
  writeFileSync(extensions, "subjectAltName=IP:127.0.0.1");
  const by = ["-CA", ca!, "-CAkey", caKey!, "-CAcreateserial"];
  openssl("x509", "-req", "-in", request!, ...by, "-days", "2", "-extfile", extensions, "-out", cert!);
  return { ca: ca!, cert: cert!, key: key! };
}
