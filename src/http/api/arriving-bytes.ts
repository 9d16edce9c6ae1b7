import { AppError } from "../../errors.ts";
import { brokenOff } from "../request-reading.ts";

const IDLE_SECONDS_MAX = 30;

/**
 * The body of a request that may take long, as it comes; `advice` says what to do when it stops.
 *
 * @throws {AppError} `invalid` when nothing comes for half a minute, or the client has gone.
 */
export async function* arrivingBytes(request: Request, advice: string): AsyncGenerator<Uint8Array> {
  if (request.body === null) return;
  const reader = request.body.getReader();
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), advice);
      if (done) return;
      yield value;
    }
  } finally {
    // Whoever waits for a client that is gone would wait for ever.
    reader.cancel().catch(() => {});
  }
}

async function inTime<T>(reading: Promise<T>, advice: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const message = `Nothing came for ${IDLE_SECONDS_MAX} seconds; ${advice}`;
    reject(new AppError("invalid", message));
  }, IDLE_SECONDS_MAX * 1000);
  try {
    return await Promise.race([
      reading.catch((error: unknown) => {
        throw brokenOff(error);
      }),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}
