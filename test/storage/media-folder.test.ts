import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import fc from "fast-check";
import type { MediaFileStorage, ReceivedFile } from "../../src/content/media/media.ts";
import { MEDIA_FILE_BYTES_MAX, mediaKindOf } from "../../src/content/media/media-kinds.ts";
import { AppError } from "../../src/errors.ts";
import { openMediaFolder } from "../../src/storage/media/media-folder.ts";
import {
  avif,
  gif,
  jpeg,
  largePng,
  MP3,
  MP4,
  OGG,
  officeFile,
  openDocument,
  PDF,
  png,
  webp,
  zip,
} from "../support/media-bytes.ts";
import { onSmallDisk } from "../support/small-disk.ts";

const folder = mkdtempSync(join(tmpdir(), "commonplace-media-"));
const files = openMediaFolder(folder);
after(() => rmSync(folder, { recursive: true }));

async function received(
  bytes: Uint8Array | string,
  into: MediaFileStorage = files,
): Promise<ReceivedFile> {
  return await into.receive(pieces(Buffer.from(bytes)));
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 60_000) yield bytes.subarray(at, at + 60_000);
}

function waiting(): string[] {
  return readdirSync(join(folder, "receiving"));
}

describe("the kind of a file", () => {
  it("is detected from its bytes, with a picture's size", async () => {
    const found: Record<string, unknown> = {};
    for (const bytes of [
      png(3, 2),
      jpeg(640, 480),
      gif(5, 4),
      webp(300, 200),
      avif(40, 30),
      PDF,
      MP3,
      OGG,
      MP4,
    ]) {
      await using file = await received(bytes);
      found[file.type] = [file.width, file.height];
    }
    assert.deepEqual(found, {
      "image/png": [3, 2],
      "image/jpeg": [640, 480],
      "image/gif": [5, 4],
      "image/webp": [300, 200],
      "image/avif": [40, 30],
      "application/pdf": [null, null],
      "audio/mpeg": [null, null],
      "audio/ogg": [null, null],
      "video/mp4": [null, null],
    });
    assert.deepEqual(waiting(), []);
  });

  it("of a rotated picture includes its size as displayed", async () => {
    await using file = await received(jpeg(640, 480, 6));
    assert.deepEqual([file.width, file.height], [480, 640]);
  });

  it("is named in the refusal of an unsupported file", async () => {
    const type = "application/vnd.ms-word.document.macroEnabled";
    const macros = officeFile("wordprocessingml.document", { type });
    const refused: [Uint8Array | string, RegExp][] = [
      ["<!doctype html><script>alert(1)</script>", /^This is a text or a file of unknown kind,/],
      ["<html><svg></svg></html>", /^This is a text or a file of unknown kind,/],
      ['<?xml version="1.0"?><rss></rss>', /^This is a text or a file of unknown kind,/],
      ["#!/bin/sh\n", /^This is a text or a file of unknown kind,/],
      [zip({ "META-INF/MANIFEST.MF": "" }), /^This is a file of the kind \.jar,/],
      [Buffer.alloc(4096), /^This is a text or a file of unknown kind,/],
      [Buffer.from("4d5a9000", "hex"), /^This is a file of the kind \.exe,/],
      [
        macros,
        /^This is a file of the kind \.docm, which is not published here\. Taken are png, jpg, /,
      ],
    ];
    for (const [bytes, message] of refused) {
      await assert.rejects(received(bytes), { code: "unsupported", message });
    }
    assert.deepEqual(waiting(), []);
  });

  it("of a document is that of its program, wherever in it that is said", async () => {
    const documents: [Buffer, string][] = [
      [officeFile("wordprocessingml.document"), "docx"],
      [officeFile("spreadsheetml.sheet"), "xlsx"],
      [officeFile("presentationml.presentation"), "pptx"],
      [openDocument("text"), "odt"],
      [openDocument("spreadsheet"), "ods"],
      [openDocument("presentation"), "odp"],
      [zip({ "minutes.txt": "We met." }), "zip"],
    ];
    const before = { "word/media/image1.png": Buffer.alloc(2_000_000) };
    documents.push([officeFile("wordprocessingml.document", { before }), "docx"]);
    for (const [bytes, extension] of documents) {
      await using file = await received(bytes);
      assert.equal(mediaKindOf(file.type).extension, extension);
      assert.deepEqual([file.width, file.height], [null, null]);
    }
  });

  it("depends on its first bytes only", async () => {
    const hidden = Buffer.from("<script>alert(1)</script>PK\x03\x04", "latin1");
    await using file = await received(Buffer.concat([gif(7, 7), hidden]));
    assert.equal(file.type, "image/gif");
  });
});

describe("a damaged file", () => {
  it("is refused when its size cannot be read", async () => {
    const message =
      /^The file begins as image\/\w+ but its width and height cannot be read: it is damaged or cut off$/;
    for (const bytes of [
      jpeg(640, 480).subarray(0, 4),
      gif(0, 0),
      avif(0, 0),
      Buffer.concat([webp(4, 4).subarray(0, 12), Buffer.alloc(20)]),
    ]) {
      await assert.rejects(received(bytes), { code: "invalid", message });
    }
    await assert.rejects(received(png(3, 2).subarray(0, 20)), AppError);
    await assert.rejects(received(""), { code: "invalid", message: "The file is empty" });
  });

  it("is refused when it claims a size that would fill the memory of readers", async () => {
    const bytes = png(1, 1);
    bytes.writeUInt32BE(50_000, 16);
    bytes.writeUInt32BE(50_000, 20);
    await assert.rejects(received(bytes), {
      code: "too_large",
      message:
        "The picture has 50000 × 50000 pixels; at most 100 million are published. Scale it down",
    });
  });

  it("fails quickly and with a message", async () => {
    const document = officeFile("wordprocessingml.document");
    const pictures = [png(9, 9), jpeg(9, 9, 3), gif(9, 9), webp(9, 9), avif(9, 9)];
    const seeds = [...pictures, PDF, MP3, OGG, MP4, document];
    const change = fc.tuple(fc.nat(300), fc.constantFrom(0, 1, 0x7f, 0x80, 0xff));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...seeds),
        fc.array(change, { maxLength: 8 }),
        fc.nat(400),
        async (seed, changes, length) => {
          const bytes = Buffer.from(seed);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          try {
            await using file = await received(bytes.subarray(0, length + 1));
            assert(file.id.length === 32);
          } catch (error) {
            assert(error instanceof AppError, String(error));
          }
        },
      ),
      { numRuns: 300 },
    );
    const segments = Buffer.concat([
      Buffer.from("ffd8", "hex"),
      Buffer.alloc(4 * 1024 * 1024, Buffer.from("ffe10002", "hex")),
    ]);
    const started = process.cpuUsage();
    await assert.rejects(received(segments), AppError);
    assert(process.cpuUsage(started).user < 10_000_000, "ten seconds of CPU");
    assert.deepEqual(waiting(), []);
  });
});

describe("the folder", () => {
  it("has a file under the hash of its bytes once it is kept, and then as long as it is wanted", async () => {
    const bytes = png(12, 12, 77);
    const id = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    await using file = await received(bytes);
    assert.equal(file.id, id);
    assert.equal(await files.find(`${id}.png`), null);
    await file.keep();
    await file.keep();
    assert.deepEqual(readFileSync(join(folder, `${id}.png`)), bytes);
    assert.deepEqual(await files.names(), [`${id}.png`]);
    await files.remove(`${id}.png`);
    await files.remove(`${id}.png`);
    assert.deepEqual(await files.names(), []);
  });

  it("keeps what goes to the trash for 30 days, and gives it back", async () => {
    await using file = await received(png(3, 5, 7));
    await file.keep();
    const name = `${file.id}.png`;
    await files.trash.put(name, new Date("2026-11-22T23:59:00Z"));
    assert.deepEqual([await files.names(), await files.trash.names()], [[], [name]]);
    await files.trash.clear(new Date("2026-12-22T23:58:00Z"));
    await files.trash.restore(name);
    assert.deepEqual([await files.names(), await files.trash.names()], [[name], []]);
    await files.trash.put(name, new Date("2026-11-22T00:00:00Z"));
    await files.trash.clear(new Date("2026-12-23T00:00:01Z"));
    assert.deepEqual(await files.trash.names(), []);
  });

  it("serves only its own files", async () => {
    writeFileSync(join(folder, "secret.txt"), "secret");
    writeFileSync(join(folder, "..", "outside.png"), png(1, 1));
    for (const name of [
      "secret.txt",
      "../outside.png",
      "receiving",
      "..",
      "",
      ".png",
      `${"a".repeat(32)}.png/../secret.txt`,
      `${"A".repeat(32)}.png`,
      `${"a".repeat(32)}.png\0`,
      `${"a".repeat(31)}/.png`,
    ]) {
      assert.equal(await files.find(name), null, name);
      await files.remove(name);
    }
    assert.equal(readFileSync(join(folder, "secret.txt"), "utf8"), "secret");
    rmSync(join(folder, "secret.txt"));
    rmSync(join(folder, "..", "outside.png"));
  });

  it("accepts 25 MiB and not a byte more, and leaves nothing behind", async () => {
    const rest = MEDIA_FILE_BYTES_MAX - png(2, 2).length;
    await using file = await received(largePng(2, 2, Buffer.alloc(rest)));
    assert.equal(file.bytes, MEDIA_FILE_BYTES_MAX);
    await assert.rejects(received(largePng(2, 2, Buffer.alloc(rest + 1))), {
      code: "too_large",
      message: "The file is larger than 25 MiB",
    });
    assert.equal(waiting().length, 1);
  });

  it("keeps nothing of an aborted upload", async () => {
    const broken = (async function* () {
      yield png(2, 2).subarray(0, 40);
      throw new Error("aborted");
    })();
    await assert.rejects(files.receive(broken), /^Error: aborted$/);
    assert.deepEqual(waiting(), []);
  });

  it("is cleared of uploads that a crash interrupted", async () => {
    const old = join(folder, "receiving", "old");
    writeFileSync(old, "half");
    writeFileSync(join(folder, "receiving", "new"), "half");
    const now = new Date();
    utimesSync(old, now, new Date(now.getTime() - 2 * 60 * 60 * 1000));
    await files.removeAbandonedUploads(now);
    assert.deepEqual(waiting(), ["new"]);
    rmSync(join(folder, "receiving", "new"));
  });
});

it("reports a full disk, and recovers", async (context) => {
  await onSmallDisk(context, 256 * 1024, async (small) => {
    const into = openMediaFolder(small);
    const large = largePng(2, 2, Buffer.alloc(400_000));
    await assert.rejects(received(large, into), {
      code: "unavailable",
      message: "Cannot store the file: the disk is full. Nothing was added",
    });
    assert.deepEqual(readdirSync(join(small, "receiving")), []);
    await using file = await received(png(2, 2), into);
    await file.keep();
    assert.deepEqual(await into.names(), [`${file.id}.png`]);
  });
});
