import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import sharp from "sharp";
import type { MediaFile } from "../../src/content/media/media.ts";
import { openPictureSizeFolder } from "../../src/storage/media/sizes/size-folder.ts";
import { findStoredFile } from "../../src/storage/media/stored-file.ts";
import { openApiClient } from "../support/api-client.ts";
import { gif } from "../support/media-bytes.ts";
import { onSmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const made = join(api.app.dataDir, "picture-sizes/1");

async function picture(format: "jpeg" | "png", orientation?: number): Promise<Buffer> {
  const create = { width: 700, height: 400, channels: 3, background: "#a3341f" } as const;
  const drawn = sharp({ create })[format]();
  return await (orientation === undefined ? drawn : drawn.withMetadata({ orientation })).toBuffer();
}

async function upload(body: Uint8Array): Promise<{ id: string; path: string }> {
  const answer = await api.request("POST", "/media?alwaysPublic=true", { body });
  assert.equal(answer.status, 201);
  return answer.body;
}

async function facts(path: string): Promise<{ format: string; width: number; height: number }> {
  const response = await api.app.get(path);
  assert.equal(response.status, 200, path);
  const { format, compression, width, height } = await sharp(await response.bytes()).metadata();
  return { format: compression === "av1" ? "avif" : format, width, height };
}

describe("a picture", () => {
  it("is served in smaller sizes once they are made, and as it is until then", async () => {
    const { id, path } = await upload(await picture("jpeg", 6));
    const early = await api.app.get(`/media/${id}-320.avif`);
    if (early.status !== 200) {
      assert.deepEqual([early.status, early.headers.get("location")], [307, path]);
      assert.equal(early.headers.get("cache-control"), "no-store");
    }
    await until(() => existsSync(join(made, id)));
    assert.deepEqual(await facts(`/media/${id}-320.avif`), {
      ...{ format: "avif", width: 320, height: 560 },
    });
    assert.deepEqual(await facts(`/media/${id}-400.webp`), {
      ...{ format: "webp", width: 400, height: 700 },
    });
    const { headers } = await api.app.get(`/media/${id}-320.webp`);
    assert.equal(headers.get("content-type"), "image/webp");
    assert.equal(headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal((await api.app.get(`/media/${id}-321.webp`)).status, 307);
    assert.equal((await api.app.get(`/media/${"0".repeat(32)}-320.webp`)).status, 404);
  });

  it("that was half made when the process was killed is made again", async () => {
    const bytes = await picture("png");
    const { id } = await upload(gif(3, 3));
    assert(!existsSync(join(made, id)), "a GIF has no sizes");
    const half = join(made, "making", "0".repeat(32));
    mkdirSync(half, { recursive: true });
    writeFileSync(join(half, "640.avif"), "half");
    const other = await upload(bytes);
    mkdirSync(join(made, "making", other.id), { recursive: true });
    writeFileSync(join(made, "making", other.id, "9.avif"), "half");
    await until(() => existsSync(join(made, other.id)));
    assert.deepEqual(readdirSync(join(made, other.id)).sort(), [
      ...["320.avif", "320.webp", "640.avif", "640.webp", "700.avif", "700.webp"],
    ]);
  });

  it("that cannot be decoded is served as it is, and not tried for ever", async () => {
    const whole = await picture("jpeg");
    const { id, path } = await upload(whole.subarray(0, 400));
    await until(() => existsSync(join(made, id)));
    assert.deepEqual(readdirSync(join(made, id)), []);
    assert.equal((await api.app.get(path)).status, 200);
    assert.equal((await api.app.get(`/media/${id}-320.avif`)).status, 307);
    await until(() => api.app.logged.some((line) => line.includes("A picture has no sizes")));
  });
});

describe("a full disk", () => {
  it("leaves a picture to be made later, and nothing half made", async (context) => {
    await onSmallDisk(context, DISK_BYTES, async (disk) => {
      const sizes = openPictureSizeFolder(join(disk, "sizes"));
      const filler = join(disk, "filler");
      const original = await storedPhotograph(join(api.app.dataDir, "noise.jpg"));
      // The first leaves no room for the copy without metadata, the second none for the versions.
      for (const room of [30_000, 100_000]) {
        writeFileSync(filler, Buffer.alloc(DISK_BYTES - original.bytes - room));
        await assert.rejects(sizes.make(NOISE, original), /no space left/);
        assert.deepEqual([await sizes.ids(), readdirSync(join(disk, "sizes/1/making"))], [[], []]);
      }
      rmSync(filler);
      assert.equal(await sizes.make(NOISE, original), null);
      assert((await sizes.find(`${NOISE.id}-500.avif`)) !== null);
      assert((await sizes.findClean(NOISE.id)) !== null);
      sizes.stop();
    });
  });
});

const DISK_BYTES = 1024 * 1024;
const NOISE: MediaFile = {
  ...{ id: "0".repeat(32), type: "image/jpeg", bytes: 0, width: 500, height: 300 },
  ...{ name: "noise.jpg", alt: "", isDecorative: false, credit: "", alwaysPublic: false },
  ...{ addedBy: "operator", addedAt: "", updatedAt: "", revision: 1 },
};

/** A picture with metadata that hardly compresses. */
async function storedPhotograph(file: string) {
  const raw = { width: 500, height: 300, channels: 3 } as const;
  const drawn = sharp(randomBytes(500 * 300 * 3), { raw });
  writeFileSync(
    file,
    await drawn
      .withExif({ IFD0: { Make: "x" } })
      .jpeg({ quality: 60 })
      .toBuffer(),
  );
  const stored = await findStoredFile(file);
  assert(stored !== null);
  return stored;
}
