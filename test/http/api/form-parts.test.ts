import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { parseFormParts } from "../../../src/http/api/form-parts.ts";

/** Bytes that look like boundaries, so that false ones and split ones occur. */
const bytes = fc
  .array(fc.constantFrom("\r", "\n", "-", "--edge", "\r\n--edg", "\r\n--", "x", "ü"), {
    maxLength: 30,
  })
  .map((pieces) => Buffer.from(pieces.join("")))
  .filter((content) => !content.includes("\r\n--edge"));

const part = fc.record(
  { name: fc.constantFrom("token", "ä b"), content: bytes },
  { noNullPrototype: true },
);
const parts = fc.array(part, { maxLength: 4 });

it("reads the same parts however the form is split", async () => {
  const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 40 }));
  const property = fc.asyncProperty(parts, cuts, async (stated, lengths) => {
    const whole = Buffer.concat([
      ...stated.flatMap(({ name, content }) => [
        Buffer.from(`--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
        content,
        Buffer.from("\r\n"),
      ]),
      Buffer.from("--edge--\r\n"),
    ]);
    const pieces = async function* () {
      for (let at = 0; at < whole.length; ) {
        const length = Number(lengths.next().value);
        yield whole.subarray(at, at + length);
        at += length;
      }
    };
    const found: { name: string; content: Buffer }[] = [];
    for await (const part of parseFormParts(pieces(), "multipart/form-data; boundary=edge")) {
      const read: Uint8Array[] = [];
      for await (const piece of part.bytes) read.push(piece);
      found.push({ name: part.name, content: Buffer.concat(read) });
    }
    assert.deepEqual(found, stated);
  });
  await fc.assert(property, { numRuns: 300 });
});
