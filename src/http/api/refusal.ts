import { STATUS_CODES } from "node:http";
import { redactSecrets } from "../../access/credentials.ts";
import { AppError, type Problem } from "../../errors.ts";
import { type HttpAnswer, wholeAnswer } from "../exchange.ts";
import { STATUSES } from "../problem.ts";

type Headers = Readonly<Record<string, string>>;

/** What every reply carries: nothing here is for caches or search engines. */
export const CLOSED_HEADERS = { "Cache-Control": "no-store", "X-Robots-Tag": "noindex" } as const;

/** A request the door turns away, for reasons of HTTP and not of the domain. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, message: string, headers: Headers = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.headers = headers;
  }
}

/** Every failed request below `/api/v1` is answered in this one shape (RFC 9457). */
export interface ApiProblem {
  type: "about:blank";
  /** The name of the status. */
  title: string;
  status: number;
  detail: string;
  problems?: readonly Problem[];
  requestId: string;
}

/** What was thrown as status, headers and problem; null: a bug, which is shown to nobody. */
export function problemOf(
  error: unknown,
  requestId: string,
): { problem: ApiProblem; headers: Headers } | null {
  if (error instanceof Refusal) {
    const { status, message: detail, headers } = error;
    return { problem: apiProblem({ status, detail, requestId }), headers };
  }
  if (!(error instanceof AppError)) return null;
  const { code, message: detail, problems, retryAfterSeconds: retry } = error;
  return {
    problem: apiProblem({
      status: STATUSES[code],
      detail,
      ...(problems.length === 0 ? {} : { problems }),
      requestId,
    }),
    headers: retry === undefined ? {} : { "Retry-After": String(retry) },
  };
}

export function apiProblem(details: Omit<ApiProblem, "type" | "title">): ApiProblem {
  const title = STATUS_CODES[details.status] ?? "Error";
  return { type: "about:blank", title, ...details };
}

/** What a request said and a problem repeats may have been a secret in the wrong place. */
export function problemReply(problem: ApiProblem, headers: Headers = {}): HttpAnswer {
  const body = `${redactSecrets(JSON.stringify(problem, null, 2))}\n`;
  const all = { "Content-Type": "application/problem+json", ...headers };
  return wholeAnswer(problem.status, all, body);
}

/** For an address that is refused before the door is reached. */
export function addressProblem(details: Omit<ApiProblem, "type" | "title">): HttpAnswer {
  return problemReply(apiProblem(details), CLOSED_HEADERS);
}
