import { z } from "zod";
import { type Actor, type KeyActor, SCOPES, type Scope } from "../../../access/actor.ts";
import { STATUSES } from "../../../content/items/item.ts";
import { fieldSchema } from "../../../content/types/content-type.ts";
import { readTypeOverviews } from "../../../content/types/type-overview.ts";
import { buildOpenApiDocument } from "../openapi.ts";
import { defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { API_PATH, API_RATE_LIMIT_FACTOR } from "../route-table.ts";

/**
 * Routes that describe the API itself. `all` returns the whole route table, including these routes.
 */
export function rootRoutes(all: () => readonly Route[]): readonly Route[] {
  const overview = defineRoute({
    method: "GET",
    path: "/",
    scope: null,
    summary: "What this key can do here",
    query: NO_QUERY,
    body: NO_BODY,
    response: z.object({
      version: z.string(),
      key: z
        .object({
          id: z.string(),
          name: z.string(),
          scopes: z.array(z.enum(SCOPES)),
          requestsPerMinute: z.int(),
          expiresAt: z.string().nullable(),
          networks: z.array(z.string()),
        })
        .nullable()
        .meta({ description: "Null for the operator, who needs no key" }),
      routes: z.array(
        z.object({
          method: z.string(),
          path: z.string(),
          scope: z.string().nullable(),
          summary: z.string(),
        }),
      ),
    }),
    answer: async ({ actor, parts }) => {
      const usableRoutes = all().filter(({ scope }) => scope === null || mayUse(actor, scope));
      return {
        body: {
          version: parts.version,
          key: actor.kind === "key" ? keyWithStatus(actor) : null,
          routes: usableRoutes.map(({ method, path, scope, summary }) => ({
            method,
            path: `${API_PATH}${path}`,
            scope,
            summary,
          })),
        },
      };
    },
  });

  const description = defineRoute({
    method: "GET",
    path: "/openapi.json",
    scope: null,
    summary: "This API as an OpenAPI 3.1 document",
    query: NO_QUERY,
    body: NO_BODY,
    response: z.looseObject({ openapi: z.string() }),
    answer: async ({ parts: { origin, version } }) => {
      const body = buildOpenApiDocument(all(), { origin, version });
      return { body, state: body };
    },
  });

  return [overview, description, contentTypes];
}

const contentTypes = defineRoute({
  method: "GET",
  path: "/content-types",
  scope: "content:read",
  summary: "The content types with their fields, relations and numbers of items",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.object({
    items: z.array(
      z.object({
        name: z.string(),
        label: z.string(),
        plural: z.string(),
        description: z.string(),
        pathPattern: z.string().nullable(),
        fields: z.array(z.object({ name: z.string(), ...fieldSchema.shape })),
        relations: z.array(
          z.object({
            name: z.string(),
            label: z.string(),
            direction: z.enum(["out", "in"]),
            relation: z.string(),
            otherType: z.string(),
            many: z.boolean(),
          }),
        ),
        defaultSort: z.string(),
        counts: z.record(z.enum(STATUSES), z.int()),
      }),
    ),
    nextCursor: z.null(),
  }),
  answer: async ({ actor, stores }) => {
    const items = await readTypeOverviews(stores.content, actor);
    return { body: { items, nextCursor: null } };
  },
});

function mayUse(actor: Actor, scope: Scope): boolean {
  return actor.kind === "operator" || (actor.kind === "key" && actor.scopes.includes(scope));
}

function keyWithStatus({ keyId, name, scopes, ratePerMinute, expiresAt, networks }: KeyActor) {
  return {
    id: keyId,
    name,
    scopes,
    requestsPerMinute: ratePerMinute * API_RATE_LIMIT_FACTOR,
    expiresAt,
    networks,
  };
}
