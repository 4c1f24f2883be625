import { hasOnly, type SyntaxNode } from "./syntax.ts";

/** A field of a credential, named by the credential's name. */
export interface SecretPath {
  name: string;
  field: string;
}

/** The values of the credentials that a template names, by name and field. */
export type SecretValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const SECRETS = "secrets";

/** Replaces the value of each of these secrets by the same text. */
export function hiddenSecrets(named: readonly SecretPath[], text: string): SecretValues {
  // Credentials and their fields are named by users, so the objects must have no prototype.
  const empty = <T>() => Object.create(null) as Record<string, T>;
  const hidden = empty<Record<string, unknown>>();
  for (const { name, field } of named) (hidden[name] ??= empty())[field] = text;
  return hidden;
}

/**
 * The credential field that an expression reads, if the whole expression is `secrets.<name>.<field>`. No other form can
 * read a secret, so no expression can change a secret into a text that masking does not recognise.
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
