import assert from "node:assert/strict";
import {
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { after, before, describe, it } from "node:test";
import { type FileToPack, packZip } from "../../src/files/zip-packing.ts";
import { unpackZip } from "../../src/files/zip-unpacking.ts";
import { onSmallDisk } from "../support/small-disk.ts";

const AT = new Date("2026-11-20T12:00:00Z");
const MEGABYTE = 1024 * 1024;

function packed(name: string, bytes: FileToPack["bytes"], isCompressed = false): FileToPack {
  return { name, isCompressed, bytes };
}

async function* once(bytes: string | Uint8Array): AsyncGenerator<string | Uint8Array> {
  yield bytes;
}

async function* listed(files: readonly FileToPack[]): AsyncGenerator<FileToPack> {
  yield* files;
}

describe("a ZIP", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "commonplace-zip-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  it("has the files under their names, in any script, empty ones and compressed ones too", async () => {
    const files = [
      packed("site.yaml", () => once("name: Über uns\n")),
      packed("types/über-時間.yaml", () => once("עברית")),
      packed("empty.txt", async function* () {}),
      packed("media/a.png", () => once(Buffer.from([1, 2, 3])), true),
    ];
    const path = join(folder, "a.zip");
    await pipeline(packZip(listed(files), { at: AT }), createWriteStream(path));
    const out = join(folder, "a");
    mkdirSync(out);
    assert.deepEqual(await unpackZip(path, out), []);
    assert.deepEqual(readdirSync(out).sort(), ["empty.txt", "media", "site.yaml", "types"]);
    assert.equal(readFileSync(join(out, "site.yaml"), "utf8"), "name: Über uns\n");
    assert.equal(readFileSync(join(out, "types/über-時間.yaml"), "utf8"), "עברית");
    assert.equal(readFileSync(join(out, "empty.txt"), "utf8"), "");
    assert.deepEqual([...readFileSync(join(out, "media/a.png"))], [1, 2, 3]);
  });

  it("is not called damaged when the disk to which it is unpacked is full", async (context) => {
    const path = join(folder, "large.zip");
    const large = packed("a.txt", () => once(Buffer.alloc(MEGABYTE)));
    await pipeline(packZip(listed([large]), { at: AT }), createWriteStream(path));
    await onSmallDisk(context, MEGABYTE / 2, async (disk) => {
      await assert.rejects(unpackZip(path, disk), { code: "ENOSPC" });
    });
  });

  it("asks for a file only when the one before is read, and for its bytes as they are taken", async () => {
    let asked = 0;
    const bytes = async function* () {
      for (let piece = 0; piece < 200; piece += 1) {
        asked += 1;
        yield Buffer.alloc(MEGABYTE, piece);
      }
    };
    let opened = 0;
    const files = async function* () {
      for (const name of ["media/a", "media/b"]) {
        opened += 1;
        yield packed(name, bytes, true);
      }
    };
    const pieces = packZip(files(), { at: AT });
    for (let taken = 0; taken < 10; taken += 1) await pieces.next();
    assert.equal(opened, 1);
    assert(asked < 30, `${asked} MB were asked for`);
    await pieces.return(undefined);
  });

  it("ends with the fault of a file", async () => {
    const faulty = async function* () {
      yield "a";
      throw new Error("The disk is gone");
    };
    const pieces = packZip(listed([packed("a.txt", faulty)]), { at: AT });
    const readAll = async () => {
      for await (const piece of pieces) assert(piece.length > 0);
    };
    await assert.rejects(readAll, /The disk is gone/);
  });
});
