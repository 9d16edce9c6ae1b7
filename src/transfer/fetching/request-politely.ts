import type { CacheValidators, PageResponse } from "./request-page.ts";

export interface PoliteRequester {
  request(url: string, known: CacheValidators): Promise<PageResponse>;
  pause(milliseconds: number): Promise<void>;
  pauseMilliseconds: number;
}

const WAITS_MAX = 3;
const WAIT_MILLISECONDS_MAX = 300_000;

/** Requests an address after a pause, and repeats the request if the host asks to wait. */
export async function requestPolitely(
  url: string,
  known: CacheValidators,
  { request, pause, pauseMilliseconds }: PoliteRequester,
): Promise<PageResponse> {
  for (let waits = 0; ; waits += 1) {
    await pause(pauseMilliseconds);
    const answer = await request(url, known);
    if (answer.kind !== "wait" || waits >= WAITS_MAX) return answer;
    if (answer.milliseconds > WAIT_MILLISECONDS_MAX) return answer;
    await pause(answer.milliseconds);
  }
}
