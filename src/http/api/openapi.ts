import { STATUS_CODES } from "node:http";
import { z } from "zod";
import type { JsonRoute, Route, StreamRoute } from "./route.ts";
import { API_PATH } from "./route-table.ts";

type JsonObject = Record<string, unknown>;

/** The route table as an OpenAPI 3.1 document, with the schemas that validate requests. */
export function buildOpenApiDocument(
  routes: readonly Route[],
  { origin, version }: { origin: string; version: string },
): JsonObject {
  const schemas = new Schemas();
  const paths: Record<string, JsonObject> = {};
  for (const route of routes) {
    const operations = paths[route.path] ?? pathItem(route.path);
    paths[route.path] = operations;
    operations[route.method.toLowerCase()] = operation(route, schemas);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Administrative interface",
      version,
      description:
        "For the administrators of this site and their programs. It may change with any release: read the document of the release you run.",
    },
    servers: [{ url: `${origin}${API_PATH}` }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A key that an administrator issued" },
      },
      parameters: SHARED_PARAMETERS,
      responses: {
        Problem: {
          description: "What went wrong and what to do about it",
          content: {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
        },
      },
      schemas: { Problem: schemas.of(problemSchema, "output"), ...schemas.components },
    },
  };
}

const SHARED_PARAMETERS = {
  IfMatch: {
    name: "If-Match",
    in: "header",
    required: true,
    description: "The ETag of the current state, from a GET; * matches any",
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "An ETag from an earlier response; 304 without a body while it is still current",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Makes retries safe: for 24 hours, repeats of a request with the same key take effect once and get the same response",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
};

const problemSchema = z.object({
  type: z.literal("about:blank"),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  problems: z.array(z.object({ where: z.string(), message: z.string() })).optional(),
  requestId: z.string(),
});

function pathItem(path: string): JsonObject {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  if (names.length === 0) return {};
  return {
    parameters: names.map((name) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    })),
  };
}

function operation(route: Route, schemas: Schemas): JsonObject {
  const { method, path, scope, summary } = route;
  const parameters = [...queryParameters(route, schemas), ...headerParameters(route)];
  return {
    operationId: operationId(method, path),
    tags: [path.split("/")[1] || "interface"],
    summary,
    ...(scope === null ? {} : { description: `Needs the scope \`${scope}\`.` }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.kind === "json" ? jsonBody(route, schemas) : streamBody(route)),
    responses: { ...successes(route, schemas), ...failures(route) },
  };
}

/** The id of an operation, such as `get_content_id_revisions` for `GET /content/{id}/revisions`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  return [method.toLowerCase(), ...words].join("_");
}

function queryParameters(route: Route, schemas: Schemas): JsonObject[] {
  const { properties = {}, required = [] } = z
    .object({
      properties: z.record(z.string(), z.looseObject({})).optional(),
      required: z.array(z.string()).optional(),
    })
    .parse(schemas.of(route.query, "input"));
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function headerParameters(route: Route): JsonObject[] {
  if (route.kind === "stream") return [];
  const names = [
    ...(route.needsIfMatch ? ["IfMatch"] : []),
    ...(route.method === "GET" ? ["IfNoneMatch"] : []),
    ...(route.method === "POST" ? ["IdempotencyKey"] : []),
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function jsonBody(route: JsonRoute, schemas: Schemas): JsonObject {
  if (route.method === "GET" || takesNoBody(route)) return {};
  const type = route.method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const isOptional = route.body.safeParse(undefined).success;
  return {
    requestBody: {
      required: !isOptional,
      content: { [type]: { schema: schemas.of(route.body, "input") } },
    },
  };
}

function takesNoBody({ body }: JsonRoute): boolean {
  return body instanceof z.ZodUndefined;
}

function streamBody({ accepts }: StreamRoute): JsonObject {
  if (accepts.length === 0) return {};
  return { requestBody: { required: true, content: contentByType(accepts) } };
}

function successes(route: Route, schemas: Schemas): JsonObject {
  if (route.kind === "stream") {
    return { "2XX": { description: "Done", content: contentByType(route.produces) } };
  }
  if (route.response instanceof z.ZodNull) return { "204": { description: "Done" } };
  const content = { "application/json": { schema: schemas.of(route.response, "output") } };
  return {
    "2XX": { description: "Done", content },
    ...(route.method === "GET" ? { "304": { description: "Your copy is still current" } } : {}),
  };
}

function contentByType(types: readonly string[]): JsonObject {
  return Object.fromEntries(types.map((type) => [type, {}]));
}

function failures(route: Route): JsonObject {
  const needsIfMatch = route.kind === "json" && route.needsIfMatch;
  const hasBody = route.kind === "json" ? !takesNoBody(route) : route.accepts.length > 0;
  const statuses = [
    400,
    401,
    403,
    ...(route.path.includes("{") ? [404] : []),
    ...(route.method === "GET" ? [] : [409]),
    ...(needsIfMatch ? [412] : []),
    ...(hasBody && route.method !== "GET" ? [413, 415] : []),
    ...(route.kind === "json" && route.method === "POST" ? [422] : []),
    ...(needsIfMatch ? [428] : []),
    429,
    500,
    503,
  ];
  const problem = { $ref: "#/components/responses/Problem" };
  const errors = statuses.map((status) => {
    return [String(status), { ...problem, description: STATUS_CODES[status] ?? "Error" }];
  });
  return { ...Object.fromEntries(errors), default: { ...problem, description: "Any other error" } };
}

/**
 * Collects the schemas that have an id as OpenAPI components, so that other schemas can refer to
 * them.
 */
class Schemas {
  readonly components: Record<string, unknown> = {};

  of(schema: z.ZodType, io: "input" | "output"): JsonObject {
    const {
      $schema: _,
      $defs,
      ...rest
    } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ jsonSchema }) => {
        if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
      },
    });
    Object.assign(this.components, withComponentReferences($defs ?? {}));
    return withComponentReferences(rest);
  }
}

function withComponentReferences(schemas: object): JsonObject {
  const text = JSON.stringify(schemas);
  return JSON.parse(text.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
}
