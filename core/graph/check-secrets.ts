import type { Template } from "../expressions/template.ts";
import type { Faults } from "./faults.ts";

const CODE = "secret_not_allowed_here";
/** The message for a secret in any other form. */
export const SECRET_FORM = "A secret stands alone between the braces: `{{ secrets.<name>.<field> }}`.";

/**
 * Reports secrets outside the fields that a step sends out, and secrets in other forms than `secrets.<name>.<field>`.
 */
export function checkSecrets(
  nodeId: string | null,
  at: PropertyKey[],
  { uses }: Template,
  sendsOut: readonly string[],
  faults: Faults,
): void {
  if (!uses) return;
  const places = sendsOut.map(field => `\`${field}\``).join(", ");
  const where =
    sendsOut.length > 0 ? `Only ${places} of this step may name secrets.` : "This step may not name secrets.";
  for (const { path } of uses.secrets)
    if (!sendsOut.includes(path.split("/")[1] ?? "")) faults.addAt(nodeId, at, path, where, CODE);
  for (const path of uses.misusedSecrets) faults.addAt(nodeId, at, path, SECRET_FORM, CODE);
}
