import { AppError, type Wording } from "../../errors.ts";
import { withTimeout } from "../../work/with-timeout.ts";
import { piecesOf } from "../body-reading.ts";
import type { HttpRequest } from "../exchange.ts";

const PATIENCE_MILLISECONDS = 30_000;
const BYTES_PER_SECOND_MIN = 256;

interface ArrivingOptions {
  /** Advice to the client if the body stalls. */
  advice: Wording;
  draining: AbortSignal;
  /** The time budget for waiting, both its initial value and its maximum. */
  patienceMilliseconds?: number;
}

/**
 * Streams a request body that may take long. Waiting uses up a time budget, to which each {@link
 * BYTES_PER_SECOND_MIN} bytes add a second; the body is cut off once the budget is used up.
 *
 * @throws {AppError} `invalid` when the body is too slow or is cut off; `unavailable` when the server
 * stops.
 */
export async function* arrivingBytes(
  request: HttpRequest,
  { advice, draining, patienceMilliseconds = PATIENCE_MILLISECONDS }: ArrivingOptions,
): AsyncGenerator<Uint8Array> {
  const seconds = patienceMilliseconds / 1000;
  const late = () =>
    new AppError("invalid", {
      en: `The body came too slowly: send at least ${BYTES_PER_SECOND_MIN} bytes a second and pause for less than ${seconds} seconds; ${advice.en}`,
      de: `Die Übertragung war zu langsam: Es müssen mindestens ${BYTES_PER_SECOND_MIN} Bytes in der Sekunde ankommen, ohne Pausen von ${seconds} Sekunden; ${advice.de}`,
    });
  const pieces = piecesOf(request.body);
  let patience = patienceMilliseconds;
  try {
    for (;;) {
      const requestedAt = performance.now();
      const next = withTimeout(pieces.next(), { milliseconds: patience, late });
      const { done, value } = await unlessDraining(next, draining, advice);
      if (done === true) return;
      const earned = (value.length / BYTES_PER_SECOND_MIN) * 1000;
      const left = patience - (performance.now() - requestedAt) + earned;
      patience = Math.max(1, Math.min(patienceMilliseconds, left));
      request.body?.hold(value.length);
      try {
        yield value;
      } finally {
        request.body?.hold(-value.length);
      }
    }
  } finally {
    // Not awaited: a client that sends nothing would block it forever.
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
