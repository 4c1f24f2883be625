import { isObject } from "../../json.ts";
import { hasRun, isKnown, type Source } from "./flow.ts";
import type { Flows } from "./flows.ts";
import { isExpression, toExpression, toTemplate } from "./parameter.ts";
import type { References } from "./references.ts";
import { type Typed, typed } from "./typed.ts";
import { Untranslatable } from "./untranslatable.ts";
import type { N8nNode } from "./workflow.ts";

/** The context of one node's translation, which also collects the warnings for the person who imports it. */
export class Translation implements References {
  readonly warnings: string[] = [];
  readonly flows: Flows;
  readonly node: N8nNode;

  constructor(flows: Flows, node: N8nNode) {
    this.flows = flows;
    this.node = node;
  }

  get zone(): string | undefined {
    return this.flows.zone;
  }

  countExpression(): void {
    this.flows.countExpression();
  }

  own(): Source {
    const flow = this.flows.into(this.node.name);
    if (isKnown(flow)) return flow;
    throw new Untranslatable(`its input, because ${flow.why}`);
  }

  named(name: string): Source {
    const flow = this.flows.named(name, this.node.name);
    if (isKnown(flow)) return flow;
    throw new Untranslatable(`a reference to another node, because ${flow.why}`);
  }

  hasRun(name: string): Typed {
    this.named(name);
    return typed(hasRun(this.flows.idOf(name)).jsonata, "boolean", true);
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  /** A parameter as a template: any JSON. */
  template(value: unknown): unknown {
    return toTemplate(value, this);
  }

  /** A parameter as one expression. */
  expression(value: unknown): Typed {
    return toExpression(value, this);
  }

  /** Everything that flows into the node, as a template. */
  input(): string {
    return `{{ ${this.own().jsonata} }}`;
  }

  /** A parameter that must not be an expression. */
  fixed(value: unknown, name: string): unknown {
    if (isExpression(value)) throw new Untranslatable(`\`${name}\` as an expression`);
    return value;
  }
}

/** A nested object of a node's parameters, `{}` when it is missing. */
export const objectAt = (value: unknown, ...path: string[]): Record<string, unknown> => {
  const found = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
  return isObject(found) ? found : {};
};

/** A list of objects in a node's parameters. */
export const listAt = (value: unknown, ...path: string[]): Record<string, unknown>[] => {
  const found = path.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), value);
  return Array.isArray(found) ? found.filter(isObject) : [];
};

export const textAt = (value: unknown, fallback: string): string => (typeof value === "string" ? value : fallback);
