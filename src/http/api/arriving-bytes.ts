import { AppError, type Wording } from "../../errors.ts";
import { withTimeout } from "../../work/with-timeout.ts";
import { readBodyInPieces } from "../body-reading.ts";
import type { HttpRequest } from "../exchange.ts";

const WAIT_MILLISECONDS = 30_000;
const BYTES_PER_SECOND_MIN = 256;

interface ArrivalOptions {
  /** Advice to the client if the body stalls. */
  advice: Wording;
  draining: AbortSignal;
  /**
   * The time budget at the start, and its maximum: arriving bytes never raise the budget above this value.
   */
  waitMilliseconds?: number;
}

/**
 * Streams a request body that may take a long time to arrive. Waiting uses up a time budget, and every
 * {@link BYTES_PER_SECOND_MIN} bytes add a second to it. Reading fails once the budget is used up.
 *
 * @throws {AppError} `invalid` when the body is too slow or is cut off; `unavailable` when the
 * server stops.
 */
export async function* streamRequestBody(
  request: HttpRequest,
  { advice, draining, waitMilliseconds = WAIT_MILLISECONDS }: ArrivalOptions,
): AsyncGenerator<Uint8Array> {
  const seconds = waitMilliseconds / 1000;
  const timeoutError = () =>
    new AppError("invalid", {
      en: `The body came too slowly: send at least ${BYTES_PER_SECOND_MIN} bytes a second and pause for less than ${seconds} seconds; ${advice.en}`,
      de: `Die Übertragung war zu langsam: Es müssen mindestens ${BYTES_PER_SECOND_MIN} Bytes in der Sekunde ankommen, ohne Pausen von ${seconds} Sekunden; ${advice.de}`,
    });
  const pieces = readBodyInPieces(request.body);
  let budget = waitMilliseconds;
  try {
    for (;;) {
      const requestedAt = performance.now();
      const next = withTimeout(pieces.next(), { milliseconds: budget, timeoutError });
      const { done, value } = await unlessDraining(next, draining, advice);
      if (done === true) return;
      const added = (value.length / BYTES_PER_SECOND_MIN) * 1000;
      const remaining = budget - (performance.now() - requestedAt) + added;
      budget = Math.max(1, Math.min(waitMilliseconds, remaining));
      request.body?.countBytes(value.length);
      try {
        yield value;
      } finally {
        request.body?.countBytes(-value.length);
      }
    }
  } finally {
    // Not awaited, because a client that sends nothing would make the wait endless.
    pieces.return(undefined).catch(() => {});
  }
}

function unlessDraining<T>(next: Promise<T>, draining: AbortSignal, advice: Wording): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(
        new AppError(
          "unavailable",
          {
            en: `The server is stopping; ${advice.en}`,
            de: `Der Server wird gerade angehalten; ${advice.de}`,
          },
          { retryAfterSeconds: 5 },
        ),
      );
    if (draining.aborted) stop();
    draining.addEventListener("abort", stop, { once: true });
    next.finally(() => draining.removeEventListener("abort", stop)).then(resolve, reject);
  });
}
