import { AppError } from "../../errors.ts";
import { inTime } from "../../work/with-timeout.ts";
import { piecesOf } from "../body-reading.ts";
import type { HttpRequest } from "../exchange.ts";

const PATIENCE_MILLISECONDS = 30_000;
const BYTES_PER_SECOND_MIN = 256;

interface ArrivingOptions {
  /** What the client should do when the body stops. */
  advice: string;
  draining: AbortSignal;
  /** How long to wait for bytes in all, beyond the time they earn. */
  patienceMilliseconds?: number;
}

/**
 * The body of a request that may take long, as it arrives. Waiting uses up patience, and each
 * {@link BYTES_PER_SECOND_MIN} bytes give a second of it back, so that a slow body cannot stay.
 *
 * @throws {AppError} `invalid` when it comes too slowly or breaks off; `unavailable` when the server
 * stops.
 */
export async function* arrivingBytes(
  request: HttpRequest,
  { advice, draining, patienceMilliseconds = PATIENCE_MILLISECONDS }: ArrivingOptions,
): AsyncGenerator<Uint8Array> {
  const seconds = patienceMilliseconds / 1000;
  const slow = `The body came too slowly: send at least ${BYTES_PER_SECOND_MIN} bytes a second and pause for less than ${seconds} seconds; ${advice}`;
  const late = () => new AppError("invalid", slow);
  const pieces = piecesOf(request.body);
  let patience = patienceMilliseconds;
  try {
    for (;;) {
      const asked = performance.now();
      const next = inTime(pieces.next(), { milliseconds: patience, late });
      const { done, value } = await unlessDraining(next, draining, advice);
      if (done === true) return;
      const earned = (value.length / BYTES_PER_SECOND_MIN) * 1000;
      const left = patience - (performance.now() - asked) + earned;
      patience = Math.max(1, Math.min(patienceMilliseconds, left));
      yield value;
    }
  } finally {
    // Not awaited: a client that is silent would hold it for ever.
    pieces.return(undefined).catch(() => {});
  }
}

function unlessDraining<T>(next: Promise<T>, draining: AbortSignal, advice: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () =>
      reject(
        new AppError("unavailable", `The server is stopping; ${advice}`, { retryAfterSeconds: 5 }),
      );
    if (draining.aborted) stop();
    draining.addEventListener("abort", stop, { once: true });
    next.finally(() => draining.removeEventListener("abort", stop)).then(resolve, reject);
  });
}
