import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { AppError, englishOnlyWording } from "../../src/errors.ts";
import { openSharedJobFiles } from "../../src/storage/jobs/shared-jobs.ts";
import { openSharedMedia, type SharedMedia } from "../../src/storage/media/shared-media.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import type { OpenRecord } from "../../src/storage/record/stores.ts";
import type { SharedFiles } from "../../src/storage/shared-files.ts";
import { png } from "../support/media-bytes.ts";
import { createDatabase, onPostgres, type TestDatabase } from "../support/postgres-store.ts";
import { RECORD_ORIGIN } from "../support/record-store.ts";
import { openWay } from "../support/way-to-database.ts";

const HOUR = 60 * 60 * 1000;
const PNG = png(4, 4);
const NEVER = new AbortController().signal;

onPostgres("files of several instances", () => {
  let database: TestDatabase;
  let record: OpenRecord;
  let files: SharedFiles;
  let folder: string;

  before(async () => {
    database = await createDatabase();
    folder = mkdtempSync(join(tmpdir(), "commonplace-"));
    const file = join(folder, "reading.db");
    record = await openRecord({ url: database.url, file, origin: RECORD_ORIGIN, follows: false });
    assert(record.files !== null);
    files = record.files;
  });

  after(async () => {
    await record.close();
    await database[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const instance = (name: string): SharedMedia => openSharedMedia(join(folder, name), files);
  const rowsOf = async (table: string) => (await database.query(`SELECT * FROM ${table}`)).length;

  it("come back as they were, a megabyte at a time", async () => {
    const bytes = Buffer.from(Array.from({ length: 2_500_000 }, (_, at) => at % 251));
    await using upload = await files.receive(chunks(bytes, 70_000));
    await upload.keep("jobs/big");
    const found = await files.find("jobs/big");
    const pieces = await all(found?.pieces());
    assert.deepEqual(
      pieces.map(({ length }) => length),
      [1_048_576, 1_048_576, 402_848],
    );
    assert(Buffer.concat(pieces).equals(bytes));
    assert.equal(found?.bytes, bytes.length);
    await files.remove("jobs/big");
    assert.equal(await files.find("jobs/big"), null);
    assert.equal(await rowsOf("file_pieces"), 0);
  });

  it("leave nothing of what broke off, was not kept, or was replaced", async () => {
    const breaking = async function* () {
      yield Buffer.alloc(1_500_000);
      throw new AppError("invalid", englishOnlyWording("The file did not arrive whole"));
    };
    await assert.rejects(files.receive(breaking()), /did not arrive whole/);
    await (await files.receive(chunks(Buffer.alloc(3)))).keep("jobs/one");
    {
      await using _dropped = await files.receive(chunks(Buffer.alloc(3)));
      await using again = await files.receive(chunks(Buffer.alloc(5)));
      await again.keep("jobs/one");
    }
    assert.equal((await files.find("jobs/one"))?.bytes, 5);
    assert.deepEqual([await rowsOf("file_pieces"), await rowsOf("file_uploads")], [1, 0]);
    await files.remove("jobs/one");
  });

  it("tell that the database is away when it goes before they are kept", async () => {
    await using way = await openWay(database.url);
    const file = join(folder, "away", "reading.db");
    await using away = await openRecord({
      ...{ url: way.url, file, origin: RECORD_ORIGIN },
      follows: false,
    });
    const keeping = async () => {
      await using upload = await away.files?.receive(chunks(Buffer.alloc(3)));
      await way.cut();
      await upload?.keep("jobs/one");
    };
    await assert.rejects(keeping(), { code: "unavailable", retryAfterSeconds: 5 });
    await database.query("DELETE FROM file_uploads");
    await database.query("DELETE FROM file_pieces");
  });

  it("are cleared of what an instance that died had received", async () => {
    const lost = await files.receive(chunks(Buffer.alloc(10)));
    await files.removeAbandonedUploads(new Date());
    assert.equal(await rowsOf("file_uploads"), 1);
    await files.removeAbandonedUploads(new Date(Date.now() + 2 * HOUR));
    assert.deepEqual([await rowsOf("file_pieces"), await rowsOf("file_uploads")], [0, 0]);
    await assert.rejects(
      lost.keep("jobs/late"),
      ({ retryAfterSeconds }) => retryAfterSeconds !== undefined,
    );
    assert.equal(await files.find("jobs/late"), null);
  });

  it("of the site are served by the others at once, in parts too, and removed everywhere", async () => {
    const [one, other, third] = [instance("one"), instance("other"), instance("third")];
    const name = await add(one, PNG);
    const found = await other.find(name);
    const part = await new Response(found?.stream({ start: 1, end: 3 })).text();
    assert.deepEqual([found?.bytes, part], [PNG.length, "PNG"]);

    await third.follow(NEVER, new Date());
    assert.deepEqual(kept("third"), [name]);
    await one.remove(name);
    await third.follow(NEVER, new Date());
    assert.deepEqual([kept("one"), kept("third"), await third.find(name)], [[], [], null]);
    await other.follow(NEVER, new Date());
  });

  it("of the site that the record does not know wait in the trash of all, and come back", async () => {
    const [one, other] = [instance("finder"), instance("keeper")];
    const bytes = png(8, 8, 8);
    const name = await add(one, bytes);
    const now = new Date("2026-11-22T12:00:00Z");
    await one.trash.put(name, now);
    assert.deepEqual([kept("finder"), await other.find(name)], [[], null]);
    assert.deepEqual(await other.trash.names(), [name]);
    await other.trash.clear(new Date("2026-12-22T12:00:00Z"));
    await other.trash.restore(name);
    assert.equal((await one.find(name))?.bytes, bytes.length);
    await one.trash.put(name, now);
    await other.trash.clear(new Date("2026-12-24T12:00:00Z"));
    assert.deepEqual(await one.trash.names(), []);
  });

  it("of the site that were lost from the database are kept by an instance that has them", async () => {
    const one = instance("last");
    const bytes = png(9, 9, 9);
    const name = await add(one, bytes);
    await files.remove(`media/${name}`);
    await one.follow(NEVER, new Date("2026-11-22T12:00:00Z"));
    assert.deepEqual([kept("last"), await one.trash.names()], [[], [name]]);
    await one.trash.restore(name);
    assert.equal((await instance("fresh").find(name))?.bytes, bytes.length);
    await one.remove(name);
  });

  it("of the site are one file when two instances take the same bytes in", async () => {
    const [one, other] = [instance("one"), instance("other")];
    const [name, same] = await Promise.all([add(one, PNG), add(other, PNG)]);
    assert.equal(name, same);
    assert.deepEqual([await rowsOf("files"), await rowsOf("file_pieces")], [1, 1]);
    assert.deepEqual(await one.names(), [name]);
    await one.remove(name);
  });

  it("of the site that are not what they are called are not served", async () => {
    const name = `${"0".repeat(32)}.png`;
    await (await files.receive(chunks(PNG))).keep(`media/${name}`);
    const one = instance("one");
    await assert.rejects(one.find(name), /is damaged/);
    await assert.rejects(one.follow(NEVER, new Date()), /is damaged/);
    assert.deepEqual(kept("one"), []);
    await one.remove(name);
  });

  it("of jobs are read by whichever instance runs the job", async () => {
    const jobs = openSharedJobFiles(files);
    assert.equal(await jobs.storeInput("j1", chunks(Buffer.from("a\nb\nc"))), 3);
    const lines = await all(openSharedJobFiles(files).readInput("j1"));
    assert.equal(Buffer.concat(lines).toString(), "a\nb\nc");
    await jobs.writeResult("j1", chunks(Buffer.from("x\ny\n")));
    await jobs.writeResult("j1", chunks(Buffer.from("z\n")));
    const result = await jobs.openResult("j1");
    assert.equal(await new Response(result?.stream()).text(), "z\n");

    const later = new Date(Date.now() + 48 * HOUR);
    await jobs.clear(new Set(["j1"]), later);
    assert.equal((await files.list("jobs")).length, 2);
    await jobs.clear(new Set(), new Date());
    assert.equal((await files.list("jobs")).length, 2);
    await jobs.clear(new Set(), later);
    assert.deepEqual(await files.list("jobs"), []);
    await assert.rejects(all(jobs.readInput("j1")), /send it again/);
  });

  function kept(name: string): string[] {
    return readdirSync(join(folder, name)).filter((entry) => entry !== "receiving");
  }
});

async function add(media: SharedMedia, bytes: Uint8Array): Promise<string> {
  await using file = await media.receive(chunks(bytes));
  await file.keep();
  return `${file.id}.png`;
}

async function all(pieces: AsyncIterable<Uint8Array> | undefined): Promise<Uint8Array[]> {
  const held: Uint8Array[] = [];
  for await (const piece of pieces ?? []) held.push(piece);
  return held;
}

async function* chunks(bytes: Uint8Array, length = bytes.length): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length);
}
