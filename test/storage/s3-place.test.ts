import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { it } from "node:test";
import { AppError } from "../../src/errors.ts";
import { createS3BackupPlace } from "../../src/storage/backup/places/s3-place.ts";
import { openS3Store, S3_KEY_ID, S3_SECRET, type S3Store } from "../support/s3-store.ts";

const MEBIBYTE = 1024 * 1024;

function placeIn({ environment }: S3Store, responseTimeout = 2000) {
  const access = {
    endpoint: environment["S3_ENDPOINT"] ?? "",
    region: environment["S3_REGION"] ?? "",
    keyId: S3_KEY_ID,
    secret: S3_SECRET,
  };
  return createS3BackupPlace(
    access,
    { bucket: "vault", prefix: "a/" },
    {
      delays: [1, 1, 1],
      responseTimeout,
      idleTimeout: 200,
    },
  );
}

async function* bytes(count: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < count; at += MEBIBYTE) {
    yield new Uint8Array(Math.min(MEBIBYTE, count - at)).fill(at / MEBIBYTE);
  }
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return await buffer(content);
}

it("an object of many parts comes back, whatever breaks on the way", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  const size = 20 * MEBIBYTE + 7;
  let asked = 0;
  store.faultOf = ({ method }) => {
    asked += 1;
    if (method === "GET") return asked % 4 === 0 ? null : "cut";
    return asked % 3 === 0 ? "reset" : null;
  };
  await place.write("big", bytes(size), size);
  const parts = store.asked.filter(({ method, target }) => method === "PUT" && /big/.test(target));
  assert(parts.length >= 3);
  const back = await readAll(place.read("big"));
  assert(back.equals(await readAll(bytes(size))));
});

it("a store that stops answering is asked again", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  const dawdled = new Set<string>();
  store.faultOf = ({ method }) => {
    const isFirst = !dawdled.has(method);
    dawdled.add(method);
    return isFirst && method !== "POST" ? "dawdle" : null;
  };
  await place.write("one", bytes(MEBIBYTE), MEBIBYTE);
  assert.equal((await readAll(place.read("one"))).length, MEBIBYTE);
  assert.equal(store.asked.filter(({ method }) => method === "PUT").length, 2);
  assert.equal(store.asked.at(-1)?.headers.range, `bytes=${MEBIBYTE / 2}-`);
});

it("what is gone already when it is removed is gone", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  store.uploads.set("old", { key: "vault/a/2026-01-07T03-00-00Z.tar", parts: new Map() });
  store.faultOf = ({ method }) => {
    if (method === "DELETE") store.uploads.delete("old");
    return null;
  };
  await place.clearAbandoned();
  store.faultOf = ({ method }) => (method === "DELETE" ? { status: 404, code: "NoSuchKey" } : null);
  await place.remove("one");
});

it("a store that lists no uploads is good enough for backups", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  store.faultOf = ({ target }) =>
    target.includes("?uploads") && target.includes("prefix")
      ? { status: 501, code: "NotImplemented" }
      : null;
  await place.clearAbandoned();
  store.faultOf = () => ({ status: 403, code: "AccessDenied" });
  await assert.rejects(place.clearAbandoned(), /answered 403 AccessDenied/);
});

it("an upload that cannot go on, or whose content fails, is ended and leaves nothing", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  store.faultOf = ({ method }) => (method === "PUT" ? "reset" : null);
  await assert.rejects(place.write("one", bytes(5), 5), (error) => {
    assert(error instanceof AppError);
    assert.match(
      error.message,
      /^Cannot reach the S3 store 127\.0\.0\.1:\d+: the connection was cut$/,
    );
    return true;
  });
  store.faultOf = () => null;
  const failing = async function* () {
    yield* bytes(9 * MEBIBYTE);
    throw new Error("The disk failed");
  };
  await assert.rejects(place.write("two", failing(), 10 * MEBIBYTE), /The disk failed/);
  assert.equal(store.uploads.size, 0);
  assert.equal(store.objects.size, 0);
});

it("a store that answers 200 to a completion that failed is not believed", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  store.faultOf = ({ method, target }) =>
    method === "POST" && target.includes("uploadId")
      ? { status: 200, code: "InternalError" }
      : null;
  await assert.rejects(place.write("one", bytes(5), 5), /completed no upload/);
  assert.equal(store.uploads.size, 0);
});

it("a list is read to its end", async () => {
  await using store = await openS3Store();
  const names = Array.from({ length: 5 }, (_, n) => `name-${n}`);
  for (const name of names) store.objects.set(`vault/a/${name}`, Buffer.from("x"));
  store.objects.set("vault/b/other", Buffer.from("x"));
  assert.deepEqual(await placeIn(store).names(), names);
});

it("a list without an end is refused", { timeout: 10_000 }, async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  const pages = ["NextContinuationToken", "NextKeyMarker"].map((name) => `<${name}>x</${name}>`);
  const code = `</Code><IsTruncated>true</IsTruncated>${pages.join("")}<Code>`;
  store.faultOf = () => (store.asked.length < 50 ? { status: 200, code } : "reset");
  await assert.rejects(place.names(), /gives a list without an end/);
  await assert.rejects(place.clearAbandoned(), /gives a list without an end/);
});

it("a list that goes on with ever other marks is refused", { timeout: 30_000 }, async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  const marks = ["NextContinuationToken", "NextKeyMarker"];
  store.faultOf = () => {
    const next = marks.map((name) => `<${name}>${store.asked.length}</${name}>`).join("");
    return { status: 200, code: `</Code><IsTruncated>true</IsTruncated>${next}<Code>` };
  };
  await assert.rejects(place.names(), /gives a list without an end/);
  assert.equal(store.asked.length, 1000);
  await assert.rejects(place.clearAbandoned(), /gives a list without an end/);
});

it("a list of many slow pages is given up", async () => {
  await using store = await openS3Store();
  const place = placeIn(store, 400);
  store.faultOf = () => {
    const next = `<NextContinuationToken>${store.asked.length}</NextContinuationToken>`;
    const page = `<a><IsTruncated>true</IsTruncated>${next}</a>`;
    return { pieces: () => [...page.slice(0, 8), page.slice(8)], everyMilliseconds: 100 };
  };
  await assert.rejects(place.names(), /no answer in time/);
  assert(store.asked.length < 100);
});

it("of uploads without end, as many are ended as a backup can wait for", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  const upload = "<Upload><Key>a/2026-01-07T03-00-00Z.tar</Key><UploadId>x</UploadId></Upload>";
  store.faultOf = ({ method }) => {
    const code = `</Code>${method === "GET" ? upload.repeat(1500) : ""}<Code>`;
    return { status: 200, code };
  };
  await place.clearAbandoned();
  assert.equal(store.asked.filter(({ method }) => method === "DELETE").length, 1000);
});

it("an answer that is longer than any list is not held in memory", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  const piece = "x".repeat(MEBIBYTE);
  let sent = 0;
  const pieces = function* () {
    for (; ; sent += 1) yield piece;
  };
  store.faultOf = () => ({ pieces, everyMilliseconds: 1 });
  await assert.rejects(place.names(), /gives an answer that is too long/);
  assert(sent < 40, `${sent} MiB were sent`);
  assert.equal(store.asked.length, 1);
  store.faultOf = () => ({ status: 200, code: "<a/>".repeat(200_000) });
  await assert.rejects(place.names(), /gives an answer with too many parts/);
});

it("an endless refusal is read as far as its code", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  store.faultOf = () => ({ status: 403, code: `AccessDenied</Code>${"x".repeat(9e6)}<Code>` });
  await assert.rejects(place.names(), /answered 403 AccessDenied for vault/);
});

it("an answer that comes byte by byte is given up", async () => {
  await using store = await openS3Store();
  const place = placeIn(store, 400);
  const pieces = function* () {
    for (;;) yield "<a/>";
  };
  store.faultOf = () => ({ pieces, everyMilliseconds: 50 });
  await assert.rejects(place.names(), /no answer in time/);
  await assert.rejects(readAll(place.read("one")), /no answer in time/);
});

it("an object that is changed while it is read is refused", async () => {
  await using store = await openS3Store();
  const place = placeIn(store);
  store.objects.set("vault/a/one", Buffer.alloc(MEBIBYTE, 1));
  store.faultOf = ({ headers }) => {
    if (headers.range !== undefined) store.objects.set("vault/a/one", Buffer.alloc(MEBIBYTE, 2));
    return headers.range === undefined ? "cut" : null;
  };
  await assert.rejects(readAll(place.read("one")), /answered 412 PreconditionFailed for vault/);
});
