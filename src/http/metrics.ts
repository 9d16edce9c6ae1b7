import { createServer, type Server } from "node:http";
import { requireScope } from "../access/actor.ts";
import { formatBearerChallenge, keyRequestInstructions } from "../access/keys/challenge.ts";
import { applyRateLimit } from "../access/limit-rate.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { HttpDependencies } from "./dependencies.ts";
import { type HttpRequest, type HttpResponse, responseWithContentLength } from "./exchange.ts";
import { jsonProblemResponse, STATUS_BY_CODE } from "./problem.ts";
import { withRetryAfter } from "./retry-after.ts";

export const METRICS_PATH = "/metrics";
const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** Serves metrics to keys with `metrics:read`. */
export function createMetricsDoor(parts: HttpDependencies) {
  return async (request: HttpRequest): Promise<HttpResponse> => {
    const headers: Record<string, string> = {};
    try {
      return await answer(request, parts, headers);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const details = { status: STATUS_BY_CODE[error.code], detail: error.message };
      return withRetryAfter(jsonProblemResponse(details, headers), error.retryAfterSeconds);
    }
  };
}

async function answer(
  request: HttpRequest,
  { authenticate, rateLimits, metrics, origin, now }: HttpDependencies,
  headers: Record<string, string>,
): Promise<HttpResponse> {
  headers["WWW-Authenticate"] = formatBearerChallenge(`${origin}${METRICS_PATH}`, {});
  const actor = await authenticate(request.header("authorization"), request.address);
  if (actor.kind !== "key")
    throw new AppError("unauthenticated", englishOnlyWording(keyRequestInstructions(origin)));
  const { keyId, ratePerMinute } = actor;
  const limit = { limitPerMinute: ratePerMinute, now: now() };
  const rate = await applyRateLimit(rateLimits, `metrics:${keyId}`, limit);
  if (rate.refusal !== null)
    return jsonProblemResponse({ status: 429, detail: rate.refusal }, rate.headers);
  requireScope(actor, "metrics:read");
  if (metrics === null) {
    throw new AppError(
      "unavailable",
      englishOnlyWording(
        "This process has only its own part of the metrics: read METRICS_PORT, which serves those of all processes together",
      ),
    );
  }
  const text = await metrics();
  return responseWithContentLength(200, { ...rate.headers, ...textHeaders(text) }, text);
}

/**
 * Creates the server that serves metrics without a key on a separate port. The server does not listen yet.
 */
export function createMetricsServer(
  metrics: () => Promise<string>,
  log: HttpDependencies["log"],
): Server {
  return createServer((request, response) => {
    const path = request.url?.split("?", 1)[0];
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (path !== METRICS_PATH || !isRead) {
      response.writeHead(isRead ? 404 : 405, { "Content-Type": "text/plain" });
      response.end(`Metrics are at ${METRICS_PATH}\n`);
      return;
    }
    metrics().then(
      (text) => response.writeHead(200, textHeaders(text)).end(text),
      (error: unknown) => {
        log.error({ err: error }, "The metrics failed");
        response.writeHead(500).end();
      },
    );
  });
}

function textHeaders(text: string): Record<string, string> {
  return {
    "Content-Type": METRICS_TYPE,
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
  };
}
