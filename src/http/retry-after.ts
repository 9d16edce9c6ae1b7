import type { HttpAnswer } from "./exchange.ts";

/** Adds `Retry-After` in seconds, if known. */
export function withRetryAfter(answer: HttpAnswer, seconds: number | undefined): HttpAnswer {
  if (seconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, "Retry-After": String(seconds) } };
}
