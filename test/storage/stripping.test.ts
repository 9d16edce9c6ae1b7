import assert from "node:assert/strict";
import { describe, it } from "node:test";
import sharp from "sharp";
import { metadataStripperForType } from "../../src/storage/media/metadata/strip-metadata.ts";
import { gif, MP4 } from "../support/media-bytes.ts";

/** What must not be served: stands in Exif, XMP and notes of every kind. */
const SECRET = "Hidden camera 48.2082";
const COPYRIGHT = "2026 Jane Doe, all rights reserved";

const EXIF = {
  IFD0: { Make: SECRET, Model: SECRET, Copyright: COPYRIGHT, DateTime: "2026:11:22 10:00:00" },
  IFD2: { DateTimeOriginal: "2026:11:22 10:00:00" },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "48/1 12/1 29/1" },
};

async function photograph(format: "jpeg" | "png" | "webp" | "avif"): Promise<Buffer> {
  const pixels = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, at) => (at * 37) % 251));
  return await sharp(pixels, { raw: { width: 64, height: 48, channels: 3 } })
    .withExif(EXIF)
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${SECRET} --></x:xmpmeta>`)
    .withIccProfile("p3")
    [format]()
    .toBuffer();
}

function strip(bytes: Buffer, type: string): Buffer {
  const stripped = metadataStripperForType(type)?.(bytes);
  assert(stripped !== undefined);
  return stripped.bytes;
}

describe("a picture that is received", () => {
  for (const format of ["jpeg", "png", "webp", "avif"] as const) {
    const type = `image/${format}`;

    it(`keeps as ${format} its pixels, profile and copyright, and nothing a camera noted`, async () => {
      const before = await photograph(format);
      assert(before.includes(SECRET), "the test has something to find");
      const after = strip(before, type);
      assert(!after.includes(SECRET));
      assert(!after.includes("2026:11:22"));
      const facts = await sharp(after).metadata();
      assert(facts.icc !== undefined);
      assert(after.includes(COPYRIGHT));
      assert.equal(metadataStripperForType(type)?.(before).copyright, COPYRIGHT);
      assert.deepEqual(await sharp(after).raw().toBuffer(), await sharp(before).raw().toBuffer());
      assert.deepEqual(strip(after, type), after, "a second time changes nothing");
    });

    it(`survives a ${format} that is cut off anywhere`, async () => {
      const whole = await photograph(format);
      for (let bytes = 30; bytes < whole.length; bytes += 7) {
        const cut = strip(whole.subarray(0, bytes), type);
        assert(cut.length <= bytes + 60);
        assert.deepEqual(strip(cut, type), cut);
      }
    });
  }

  it("stays turned as the camera was held", async () => {
    for (const orientation of [3, 6, 8]) {
      const turned = await sharp(await photograph("jpeg"))
        .withMetadata({ orientation })
        .toBuffer();
      const facts = await sharp(strip(turned, "image/jpeg")).metadata();
      assert.equal(facts.orientation, orientation);
    }
  });

  it("loses what follows its end, and its thumbnail", async () => {
    const jpeg = await photograph("jpeg");
    const film = Buffer.concat([jpeg, Buffer.from(`ftypmp42 ${SECRET}`)]);
    assert.deepEqual(strip(film, "image/jpeg"), strip(jpeg, "image/jpeg"));
    const thumbnail = Buffer.concat([
      Buffer.from("ffd8ffe000134a46494600010100000100010101", "hex"),
      Buffer.from("abc"),
      jpeg.subarray(2),
    ]);
    assert(!strip(thumbnail, "image/jpeg").includes("abc"));
  });

  it("keeps its pixels where stray bytes separate the parts of a JPEG", async () => {
    const jpeg = await photograph("jpeg");
    const table = jpeg.indexOf(Buffer.from("ffdb", "hex"));
    for (const stray of ["00", "0000ff00", "41424344", "ffffff"]) {
      const parts = [jpeg.subarray(0, table), Buffer.from(stray, "hex"), jpeg.subarray(table)];
      assert.deepEqual(strip(Buffer.concat(parts), "image/jpeg"), strip(jpeg, "image/jpeg"), stray);
    }
  });

  it("loses the notes of a GIF and of a film", () => {
    const animation = gif(1, 1);
    const note = Buffer.concat([
      Buffer.from([0x21, 0xfe, SECRET.length]),
      Buffer.from(SECRET),
      Buffer.alloc(1),
    ]);
    const noted = Buffer.concat([animation.subarray(0, 19), note, animation.subarray(19)]);
    assert.deepEqual(strip(noted, "image/gif"), animation);
    const place = Buffer.concat([Buffer.from("\0\0\0\0udta", "latin1"), Buffer.from(SECRET)]);
    place.writeUInt32BE(place.length);
    const moov = Buffer.concat([Buffer.from("\0\0\0\0moov", "latin1"), place]);
    moov.writeUInt32BE(moov.length);
    const film = strip(Buffer.concat([MP4, moov]), "video/mp4");
    assert(!film.includes(SECRET));
    assert.equal(film.length, MP4.length + moov.length);
  });
});
