import { STATUS_CODES } from "node:http";
import type { ErrorCode } from "../errors.ts";
import { errorHtml, errorMarkdown } from "../render/error-page.ts";
import { textsInAcceptedLanguage } from "../texts/site/site-texts.ts";
import { chooseErrorVariant, choosePageVariant } from "./accept.ts";
import { type HttpRequest, type HttpResponse, responseWithContentLength } from "./exchange.ts";
import { PUBLIC_HEADERS } from "./public-headers.ts";

/** HTTP status of each error code. */
export const STATUS_BY_CODE: Readonly<Record<ErrorCode, number>> = {
  not_found: 404,
  gone: 410,
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  unconfirmed: 403,
  conflict: 409,
  precondition: 412,
  too_large: 413,
  unsupported: 415,
  rate_limited: 429,
  unavailable: 503,
};

interface ProblemDetails {
  status: number;
  detail: string;
  instance?: string;
  links?: readonly { rel: string; href: string; title?: string }[];
  requestId?: string;
}

/**
 * Formats a problem as JSON (RFC 9457), with the generic type `about:blank` and the status text as
 * title.
 */
export function problemJson(details: ProblemDetails): string {
  const title = STATUS_CODES[details.status] ?? "Error";
  return `${JSON.stringify({ type: "about:blank", title, ...details }, null, 2)}\n`;
}

/** Renders a problem as HTML, Markdown or JSON, depending on `Accept`. JSON is the default. */
export function negotiatedErrorResponse(
  request: Pick<HttpRequest, "header">,
  details: ProblemDetails,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  const accept = request.header("accept");
  const title = `${details.status} ${STATUS_CODES[details.status] ?? "Error"}`;
  if (chooseErrorVariant(accept) === "html") {
    const body = errorHtml(
      { ...details, title },
      textsInAcceptedLanguage(request.header("accept-language")),
    );
    return errorResponse(details.status, "text/html; charset=utf-8", body, headers);
  }
  if (choosePageVariant(accept) === "markdown") {
    const body = errorMarkdown({ ...details, title });
    return errorResponse(details.status, "text/markdown; charset=utf-8", body, headers);
  }
  return jsonProblemResponse(details, headers);
}

/** Renders a problem as JSON, without content negotiation. */
export function jsonProblemResponse(
  details: ProblemDetails,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return errorResponse(details.status, "application/problem+json", problemJson(details), headers);
}

function errorResponse(
  status: number,
  contentType: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): HttpResponse {
  const allHeaders = {
    "Content-Type": contentType,
    "Cache-Control": "no-store",
    Vary: "Accept",
    "X-Robots-Tag": "noindex",
    ...PUBLIC_HEADERS,
    ...headers,
  };
  return responseWithContentLength(status, allHeaders, body);
}
