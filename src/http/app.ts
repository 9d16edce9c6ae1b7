import { IncomingMessage } from "node:http";
import { Hono, type MiddlewareHandler } from "hono";
import { CLAIM_PATH, CONTACT_PATH } from "../content/pages/contact-forms.ts";
import { FAVICON, THEME, THEME_PATH } from "../render/theme.ts";
import { tellApiCaller } from "./api/refusal.ts";
import { API_PATH } from "./api/route-table.ts";
import { answerOverWeb } from "./api/web-exchange.ts";
import { bodyOf } from "./body-reading.ts";
import { answerError, identify, refuseAddresses, secure } from "./guards.ts";
import { openMcpDoor } from "./mcp-door.ts";
import { countAnswers, METRICS_PATH, openMetricsDoor } from "./metrics.ts";
import type { HttpApp, HttpContext, HttpEnv, HttpParts } from "./parts.ts";
import { errorResponse } from "./problem.ts";
import { OPTIONS_HEADERS, PUBLIC_HEADERS } from "./public-headers.ts";
import { plainText, readiness } from "./readiness.ts";
import { KeptReply } from "./reply.ts";
import { addressOf } from "./request-reading.ts";
import { pageAt, readAddress } from "./site/address.ts";
import { takeClaims } from "./site/claim.ts";
import { takeContactForms } from "./site/contact.ts";
import { agentViewResponse, documentResponse } from "./site/documents.ts";
import { mediaResponse } from "./site/media.ts";
import { movedResponse, pageResponse } from "./site/pages.ts";

/** OAuth metadata and registration: MCP clients look for them, and show people what they answer. */
const OAUTH_PATHS = [
  "/.well-known/oauth-authorization-server/*",
  "/.well-known/oauth-protected-resource/*",
  "/.well-known/openid-configuration/*",
  "/register",
];

/** Everything the service answers over HTTP, in the order in which it is tried. */
export function createHttpApp(parts: HttpParts): HttpApp {
  const app = new Hono<HttpEnv>();
  app.onError(answerError(parts));

  app.use(identify(parts));
  app.use(countAnswers(parts));
  app.use(rememberAnswers(parts));
  app.use(secure(parts));
  app.use(`${API_PATH}/*`, refuseAddresses(tellApiCaller));
  app.use(refuseAddresses());

  app.get("/healthz", () => plainText(200, "alive"));
  app.get("/readyz", () => readiness(parts));
  app.get(METRICS_PATH, openMetricsDoor(parts));
  app.all("/mcp", openMcpDoor(parts));
  app.all(`${API_PATH}/*`, (c) => {
    const address = addressOf(c, parts.trustProxy);
    const caller = { address, requestId: c.get("requestId") };
    return answerOverWeb(parts.api, c.req.raw, caller, bodyOf(c.req.raw, c.env?.incoming));
  });
  for (const path of OAUTH_PATHS) app.all(path, noOauth);

  app.get(
    THEME_PATH,
    asset(THEME, "text/css; charset=utf-8", "public, max-age=31536000, immutable"),
  );
  app.get("/favicon.svg", asset(FAVICON, "image/svg+xml", "public, max-age=86400"));
  app.get("/media/:name", async (c, next) => {
    return (await mediaResponse(c.req.raw, c.req.param("name"), parts)) ?? (await next());
  });
  app.get("*", answerSite(parts));
  app.post(CONTACT_PATH, takeContactForms(parts));
  app.post(CLAIM_PATH, takeClaims(parts));
  for (const path of [CONTACT_PATH, CLAIM_PATH]) app.all(path, formMethods);
  app.options("*", () => new Response(null, { status: 204, headers: OPTIONS_HEADERS }));
  app.all("*", (c) =>
    errorResponse(
      c.req.raw,
      { status: 405, detail: "Everything here is for reading: use GET or HEAD" },
      { Allow: OPTIONS_HEADERS.Allow },
    ),
  );
  return app;
}

function rememberAnswers({ answers }: HttpParts): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next();
    const request = c.env?.incoming;
    if (request instanceof IncomingMessage) answers.remember(request, c.res);
  };
}

/** Discovery documents and pages; Hono answers HEAD with the headers of GET. */
function answerSite(parts: HttpParts) {
  return async (c: HttpContext): Promise<Response> => {
    const { pathname, searchParams: query } = new URL(c.req.url);
    const address = readAddress(pathname);
    if (address.kind === "malformed") {
      return errorResponse(c.req.raw, { status: 400, detail: "The address is not well-formed" });
    }
    if (address.kind === "elsewhere") return movedResponse(address.path, query);
    const { path } = address;
    const request = c.req.raw;
    if (path === "/" && query.get("mode") === "agent")
      return await agentViewResponse(request, parts);
    const document = await documentResponse(request, path, parts);
    return document ?? (await pageResponse(request, { ...pageAt(path), query }, parts));
  };
}

/** For everything but reading the page of a form and sending it. */
function formMethods(c: HttpContext): Response {
  const Allow = "GET, HEAD, POST, OPTIONS";
  if (c.req.method === "OPTIONS") return new Response(null, { status: 204, headers: { Allow } });
  const detail = "This page has a form: use GET or HEAD to read it, POST to send it";
  return errorResponse(c.req.raw, { status: 405, detail }, { Allow });
}

function asset(body: string, contentType: string, caching: string) {
  const headers = { ...PUBLIC_HEADERS, "Content-Type": contentType, "Cache-Control": caching };
  const reply = new KeptReply({ status: 200, headers, body });
  return (c: HttpContext): Promise<Response> => reply.respond(c.req.raw);
}

function noOauth(): Response {
  const body = JSON.stringify({
    error: "invalid_request",
    error_description:
      'This service has no OAuth. Send your key as "Authorization: Bearer <KEY>"; administrators issue keys on request, see /contact',
  });
  const headers = {
    ...PUBLIC_HEADERS,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "public, max-age=60",
  };
  return new Response(body, { status: 404, headers });
}
