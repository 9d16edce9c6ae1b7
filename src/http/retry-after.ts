import type { HttpResponse } from "./exchange.ts";

/** Adds `Retry-After` in seconds, if known. */
export function withRetryAfter(answer: HttpResponse, seconds: number | undefined): HttpResponse {
  if (seconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, "Retry-After": String(seconds) } };
}
