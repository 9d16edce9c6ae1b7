import assert from "node:assert/strict";
import { it } from "node:test";
import { toByteString } from "../../src/render/byte-string.ts";

/** Three bytes per character fill the shared buffer at these lengths. */
const ROOM_BYTES = 128 * 1024;

it("encodes texts of any length and language", () => {
  for (const character of ["a", "é", "—", "😀"]) {
    for (const bytes of [0, 1, ROOM_BYTES / 3, ROOM_BYTES, ROOM_BYTES + 1, 3 * ROOM_BYTES]) {
      const whole = character.repeat(Math.ceil(bytes / Buffer.byteLength(character)));
      for (const text of [whole, `${whole}a`, `a${whole}`]) {
        const expected = Buffer.from(text).toString("latin1");
        assert(toByteString(text) === expected, `${bytes} bytes of ${character}`);
      }
    }
  }
});
