import { randomFillSync } from "node:crypto";

const RANDOM_BYTES = 16;
/** Asking the system for random bytes costs the same for one id as for many. */
const pool = Buffer.alloc(RANDOM_BYTES * 256);
let used = pool.length;

let lastMilliseconds = 0;
let counter = 0;

/**
 * A UUIDv7 (RFC 9562, 5.7 and 6.2 method 1): ids made by one process order as they were made. A time
 * before that of the id made last counts as that.
 */
export function uuidv7(nowMilliseconds: number): string {
  const bytes = randomBytes();
  if (nowMilliseconds > lastMilliseconds) {
    lastMilliseconds = nowMilliseconds;
    counter = bytes.readUInt16BE(6) & 0x07ff;
  } else {
    counter += 1;
    if (counter > 0x0fff) {
      lastMilliseconds += 1;
      counter = 0;
    }
  }
  bytes.writeUIntBE(lastMilliseconds, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20)].join("-");
}

/** To be used before the next call. */
function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_BYTES;
  return pool.subarray(used - RANDOM_BYTES, used);
}
