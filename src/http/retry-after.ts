import type { HttpAnswer } from "./exchange.ts";

/** The same answer with `Retry-After` in seconds, where a number is known. */
export function retryAfter(answer: HttpAnswer, seconds: number | undefined): HttpAnswer {
  if (seconds === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, "Retry-After": String(seconds) } };
}
