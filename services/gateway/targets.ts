import { OWN_QUERIES } from "../../contracts/route-fields.ts";
import { DELIVERY_METHODS } from "../../contracts/entities/webhook.ts";
import { GATEWAY_ROUTES, type GatewayRoute, pathVariables, ROUTES } from "../../contracts/routes.ts";
import type { OwnTarget, Target } from "./pipeline.ts";
import { ownQuery } from "./request/own-query.ts";
import { planOf } from "./request/route-plan.ts";
import { Router, segmentsOf } from "./request/router.ts";

export type OwnAnswers = Record<GatewayRoute["name"], OwnTarget["answer"]>;

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

function ownTarget({ path, access, name }: GatewayRoute, answers: OwnAnswers): Target {
  const segments = segmentsOf(path);
  const fields = pathVariables(path).map(variable => ({
    segment: segments.indexOf(`:${variable.name}`),
    field: variable.field,
    // Ids belong to tenants' resources, which are never public. Variables of public routes are names of pages.
    kind: access === "public" ? ("text" as const) : ("id" as const),
  }));
  return {
    own: {
      public: access === "public",
      route: path,
      path: fields,
      // Authorization servers add parameters of their own to a callback.
      query: name === "oauthCallback" ? input => input : ownQuery(OWN_QUERIES[name]),
      answer: answers[name],
    },
  };
}

/** The routes of moleculer-web's alias table, each with everything that its requests need. */
export function routerOf(
  aliases: readonly { method: string; fullPath: string }[],
  answers: OwnAnswers,
): Router<Target> {
  const targets = new Map<string, Target>([
    ...ROUTES.map(route => [keyOf(route), { plan: planOf(route) }] as const),
    ...GATEWAY_ROUTES.map(route => [keyOf(route), ownTarget(route, answers)] as const),
  ]);
  const router = new Router<Target>();
  for (const { method, fullPath } of aliases) {
    const target = targets.get(`${method} ${fullPath}`);
    if (!target) throw new Error(`The alias ${method} ${fullPath} is no route.`);
    router.add(method, fullPath, target);
    // The webhook decides which methods it takes.
    const isDelivery = "plan" in target && target.plan.route.delivery;
    for (const other of isDelivery ? DELIVERY_METHODS : []) router.add(other, fullPath, target);
  }
  return router;
}
