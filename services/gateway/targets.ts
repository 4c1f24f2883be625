import { OWN_QUERIES } from "../../contracts/route-fields.ts";
import { DELIVERY_METHODS } from "../../contracts/entities/webhook.ts";
import { GATEWAY_ROUTES, type GatewayRoute, pathVariables, type Route, ROUTES } from "../../contracts/routes.ts";
import { once } from "../../core/once.ts";
import type { Callers } from "./access/callers.ts";
import type { Exchange } from "./http/exchange.ts";
import type { Input } from "./request/input.ts";
import { type OwnQuery, ownQuery } from "./request/own-query.ts";
import { type PathField, planOf, type RoutePlan } from "./request/route-plan.ts";
import { Router, segmentsOf } from "./request/router.ts";

/** A route that the gateway serves itself. */
export interface OwnTarget {
  public: boolean;
  /** True if the requests of anonymous clients are limited. */
  limited: boolean;
  /** The pattern of the route's path. */
  route: string;
  path: readonly PathField[];
  query: OwnQuery;
  answer: (x: Exchange, input: Input, callers: Callers) => void | Promise<void>;
}

/** The plan of a route is created at its first request. */
export type Target = { route: Route; plan: () => RoutePlan } | { own: OwnTarget };

export type OwnAnswers = Record<GatewayRoute["name"], OwnTarget["answer"]>;

/**
 * Authorization servers add parameters of their own to a callback. Mail programs, chats and search engines add
 * parameters to links to pages, and the page has to open all the same.
 */
const TAKES_ANY_QUERY: ReadonlySet<GatewayRoute["name"]> = new Set([
  "oauthCallback",
  "resumePage",
  "docs",
  "docsPage",
  "docsSection",
]);

const keyOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

function ownTarget({ method, path, access, name }: GatewayRoute, answers: OwnAnswers): Target {
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
      limited: method === "POST" || name === "resumePage",
      route: path,
      path: fields,
      query: TAKES_ANY_QUERY.has(name) ? input => input : ownQuery(OWN_QUERIES[name]),
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
    ...ROUTES.map(route => [keyOf(route), { route, plan: once(() => planOf(route)) }] as const),
    ...GATEWAY_ROUTES.map(route => [keyOf(route), ownTarget(route, answers)] as const),
  ]);
  const router = new Router<Target>();
  for (const { method, fullPath } of aliases) {
    const target = targets.get(`${method} ${fullPath}`);
    if (!target) throw new Error(`The alias ${method} ${fullPath} is not a route.`);
    router.add(method, fullPath, target);
    // The webhook decides which methods it accepts.
    const isDelivery = "route" in target && target.route.delivery;
    for (const other of isDelivery ? DELIVERY_METHODS : []) router.add(other, fullPath, target);
  }
  return router;
}
