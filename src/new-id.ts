import { randomUUID } from "node:crypto";

const COUNTER_MAX = 0x0fff;
/** Lengths of the time and of the counter in a UUIDv7, in hexadecimal digits. */
const TIME_DIGITS = 12;
const COUNTER_DIGITS = 3;
/** Index in the text of a UUID at which the variant and the random bits begin. */
const RANDOM_FROM = 18;

let lastMilliseconds = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562, 5.7 and 6.2 method 1). Ids from one process sort by creation, even when the clock
 * goes back.
 */
export function newId(now: Date): string {
  const nowMilliseconds = now.getTime();
  const random = randomUUID();
  if (nowMilliseconds > lastMilliseconds) {
    lastMilliseconds = nowMilliseconds;
    counter = Number.parseInt(random.slice(0, COUNTER_DIGITS), 16) & 0x07ff;
  } else {
    counter += 1;
    if (counter > COUNTER_MAX) {
      lastMilliseconds += 1;
      counter = 0;
    }
  }
  const time = lastMilliseconds.toString(16).padStart(TIME_DIGITS, "0");
  const count = counter.toString(16).padStart(COUNTER_DIGITS, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}${random.slice(RANDOM_FROM)}`;
}
