import { STATUS_CODES } from "node:http";
import { redactIssuedSecrets } from "../../access/credentials.ts";
import { AppError, type EnglishProblem, toEnglishProblems } from "../../errors.ts";
import { type HttpResponse, responseWithContentLength } from "../exchange.ts";
import { STATUS_BY_CODE } from "../problem.ts";

type Headers = Readonly<Record<string, string>>;

/** Headers of every response: not cached, not indexed. */
export const PRIVATE_HEADERS = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" } as const;

/** A refusal for reasons of HTTP rather than of the domain. */
export class HttpError extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, message: string, headers: Headers = {}) {
    super(message);
    this.name = "HttpError";
    this.status = status;
    this.headers = headers;
  }
}

/** The body of every error response below `/api/v1` (RFC 9457). */
export interface ApiProblem {
  type: "about:blank";
  /** The status text. */
  title: string;
  status: number;
  detail: string;
  problems?: readonly EnglishProblem[];
  requestId: string;
}

/**
 * Translates a thrown error to headers and a problem. Null: the error is a bug, whose details must stay
 * private.
 */
export function problemFromError(
  error: unknown,
  requestId: string,
): { problem: ApiProblem; headers: Headers } | null {
  if (error instanceof HttpError) {
    const { status, message: detail, headers } = error;
    return { problem: apiProblem({ status, detail, requestId }), headers };
  }
  if (!(error instanceof AppError)) return null;
  const { code, message: detail, problems, retryAfterSeconds: retry } = error;
  return {
    problem: apiProblem({
      status: STATUS_BY_CODE[code],
      detail,
      ...(problems.length === 0 ? {} : { problems: toEnglishProblems(problems) }),
      requestId,
    }),
    headers: retry === undefined ? {} : { "Retry-After": String(retry) },
  };
}

export function apiProblem(details: Omit<ApiProblem, "type" | "title">): ApiProblem {
  const title = STATUS_CODES[details.status] ?? "Error";
  return { type: "about:blank", title, ...details };
}

/** The response for a problem, with secrets redacted, because a problem may repeat parts of the request. */
export function apiProblemResponse(problem: ApiProblem, headers: Headers = {}): HttpResponse {
  const body = `${redactIssuedSecrets(JSON.stringify(problem, null, 2))}\n`;
  const allHeaders = { "Content-Type": "application/problem+json", ...headers };
  return responseWithContentLength(problem.status, allHeaders, body);
}

/** The response to an invalid address, which is refused before routing. */
export function invalidAddressResponse(details: Omit<ApiProblem, "type" | "title">): HttpResponse {
  return apiProblemResponse(apiProblem(details), PRIVATE_HEADERS);
}
