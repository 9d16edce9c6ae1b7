import { AppError } from "../../errors.ts";
import { inTime } from "../../in-time.ts";
import type { ApiRequest } from "./exchange.ts";

const IDLE_SECONDS_MAX = 30;

/**
 * The body of a request that may take long, as it comes; `advice` says what to do when it stops.
 *
 * @throws {AppError} `invalid` when nothing comes for half a minute, or the client has gone.
 */
export async function* arrivingBytes(
  request: ApiRequest,
  advice: string,
): AsyncGenerator<Uint8Array> {
  const late = () =>
    new AppError("invalid", `Nothing came for ${IDLE_SECONDS_MAX} seconds; ${advice}`);
  const pieces = request.pieces()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await inTime(pieces.next(), {
        milliseconds: IDLE_SECONDS_MAX * 1000,
        late,
      });
      if (done === true) return;
      yield value;
    }
  } finally {
    // Whoever waits for a client that is gone would wait for ever.
    pieces.return?.().catch(() => {});
  }
}
