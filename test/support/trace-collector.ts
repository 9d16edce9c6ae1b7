import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { ended, listening } from "./listening.ts";

const attributeSchema = z.object({
  key: z.string(),
  value: z.union([
    z.object({ stringValue: z.string() }).transform((value) => value.stringValue),
    z.object({ intValue: z.number() }).transform((value) => value.intValue),
    z.object({ boolValue: z.boolean() }).transform((value) => value.boolValue),
  ]),
});
const attributesSchema = z
  .array(attributeSchema)
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(""),
  name: z.string(),
  kind: z.number(),
  attributes: attributesSchema,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  status: z.object({ code: z.number() }),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: attributesSchema }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanSchema>;

/** A collector that accepts OTLP over HTTP as JSON. */
export interface TraceCollector extends AsyncDisposable {
  endpoint: string;
  spans: CollectedSpan[];
  /** Attributes of the services that sent spans. */
  services: Record<string, string | number | boolean>[];
  /** All received bodies, unchanged. */
  bodies: unknown[];
  authorizations: (string | undefined)[];
}

export async function openCollector(
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) =>
    response.end("{}"),
): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const services: TraceCollector["services"] = [];
  const bodies: unknown[] = [];
  const authorizations: TraceCollector["authorizations"] = [];
  const server = createServer(async (request, response) => {
    const body = await json(request);
    bodies.push(body);
    authorizations.push(request.headers.authorization);
    for (const { resource, scopeSpans } of exportSchema.parse(body).resourceSpans) {
      services.push(resource.attributes);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    answer(request, response);
  });
  const port = await listening(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    services,
    bodies,
    authorizations,
    [Symbol.asyncDispose]: () => ended(server),
  };
}
