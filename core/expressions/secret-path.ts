import { hasOnly, type SyntaxNode } from "./syntax.ts";

/** A field of a credential, by the credential's name. */
export interface SecretPath {
  name: string;
  field: string;
}

/** The values of the credentials that a template names, by name and field. */
export type SecretValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const SECRETS = "secrets";

/** The same text in place of each of these secrets. */
export function hiddenSecrets(named: readonly SecretPath[], text: string): SecretValues {
  // Credentials and their fields are named by users, so the objects must have no prototype.
  const empty = <T>() => Object.create(null) as Record<string, T>;
  const hidden = empty<Record<string, unknown>>();
  for (const { name, field } of named) (hidden[name] ??= empty())[field] = text;
  return hidden;
}

/**
 * The field that an expression names which is `secrets.<name>.<field>` and nothing else. No other form can read a secret,
 * so no expression can change one into something that is not recognised and masked.
 */
export function secretPath(root: SyntaxNode): SecretPath | undefined {
  if (root.type !== "path" || !hasOnly(root, ["type", "steps"]) || root.steps?.length !== 3) return undefined;
  const names = root.steps.map(step =>
    step.type === "name" && hasOnly(step, ["type", "value", "position"]) ? step.value : undefined,
  );
  const [first, name, field] = names;
  if (first !== SECRETS || typeof name !== "string" || typeof field !== "string") return undefined;
  return { name, field };
}
