import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import {
  trashUnknownFiles,
  trashWithdrawnFiles,
} from "../../../src/content/media/media-clearing.ts";
import type { MediaFileInput } from "../../../src/content/media/media-file-input.ts";
import { MEDIA_FILE_BYTES_MAX } from "../../../src/content/media/media-kinds.ts";
import { openMediaFolder } from "../../../src/storage/media/media-folder.ts";
import { type ApiAnswer, openApiClient } from "../../support/api-client.ts";
import { testedEngine } from "../../support/engine.ts";
import { ended, listening } from "../../support/listening.ts";
import { gif, jpeg, MP3, PDF, png } from "../../support/media-bytes.ts";
import { NOW } from "../../support/open-fixture.ts";
import { until } from "../../support/until.ts";

const api = await openApiClient({ ticks: false });
after(() => api[Symbol.asyncDispose]());

const folder = join(api.app.dataDir, testedEngine() === "SQLite" ? "media" : "media-copy");

/** The folder of files and what is being received in it. */
function onDisk(): { kept: string[]; receiving: string[] } {
  return {
    kept: readdirSync(folder).filter((name) => name !== "receiving"),
    receiving: readdirSync(join(folder, "receiving")),
  };
}

async function upload(
  bytes: Uint8Array,
  stated: Record<string, string> = {},
  options: { key?: string; headers?: Record<string, string> } = {},
): Promise<ApiAnswer> {
  return await api.request("POST", `/media?${new URLSearchParams(stated)}`, {
    body: bytes,
    ...options,
  });
}

async function uploadForm(form: FormData): Promise<ApiAnswer> {
  const sent = new Response(form);
  return await api.request("POST", "/media", {
    body: new Uint8Array(await sent.arrayBuffer()),
    headers: { "Content-Type": sent.headers.get("content-type") ?? "" },
  });
}

async function latestAudit(): Promise<Record<string, unknown>> {
  const [entry] = (await api.request("GET", "/audit?limit=1")).body.items;
  return entry;
}

describe("uploading a file", () => {
  it("publishes the raw body and returns its full description", async () => {
    const bytes = png(31, 17, 1);
    const { status, body, headers } = await upload(bytes, { name: "Garden.png", alt: "A garden" });
    assert.equal(status, 201);
    const { addedBy, ...told } = body;
    assert.match(addedBy, /^key:/);
    const path = `/media/${body.id}.png`;
    assert.deepEqual(told, {
      id: body.id,
      type: "image/png",
      bytes: bytes.length,
      width: 31,
      height: 17,
      name: "Garden.png",
      alt: "A garden",
      isDecorative: false,
      credit: "",
      alwaysPublic: false,
      isPublic: false,
      addedAt: NOW.toISOString(),
      updatedAt: NOW.toISOString(),
      revision: 1,
      path,
      url: `https://quotations.example${path}`,
      markdown: `![A garden](${path})`,
      notices: [],
    });
    assert.equal(headers.get("location"), `/api/v1/media/${body.id}`);
    assert.equal(headers.get("etag"), '"1"');
    assert.deepEqual(readFileSync(join(folder, `${body.id}.png`)), bytes);
    const entry = await latestAudit();
    assert.deepEqual(
      [entry["action"], entry["target"], entry["actor"]],
      ["media.add", path, addedBy],
    );
    assert.equal(entry["requestId"], headers.get("x-request-id"));
  });

  it("takes one file in a form, with its description", async () => {
    const form = new FormData();
    form.set("alt", "A picture");
    form.set("file", new File([new Uint8Array(gif(4, 3))], "C:\\pictures\\Grüße.gif"));
    form.set("credit", "Jane Doe, CC BY 4.0");
    const { status, body } = await uploadForm(form);
    assert.equal(status, 201);
    assert.deepEqual(
      [body.name, body.alt, body.credit, body.width],
      ["Grüße.gif", "A picture", "Jane Doe, CC BY 4.0", 4],
    );
  });

  it("reads the name from Content-Disposition, in every way it is written", async () => {
    const utf8 = Buffer.from('attachment; filename="Grüße.png"').toString("latin1");
    const names: [string, string][] = [
      ['attachment; filename="a b.png"', "a b.png"],
      ["attachment; filename=plain.png", "plain.png"],
      ["attachment; filename=\"x.png\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.png", "Grüße.png"],
      [utf8, "Grüße.png"],
      ['attachment; filename="../../etc/passwd"', "passwd"],
      ["attachment; filename*=UTF-8''%E0%A4%A; filename=kept.png", "kept.png"],
      [`attachment; filename=${"x".repeat(300)}.png`, `${"x".repeat(196)}.png`],
      ["attachment; filename*=UTF-8''a%07%0Ab.png", "a b.png"],
    ];
    for (const [at, [disposition, name]] of names.entries()) {
      const headers = { "Content-Disposition": disposition };
      const { body } = await upload(png(2, 2, 100 + at), {}, { headers });
      assert.equal(body.name, name, disposition);
    }
  });

  it("calls a file without a name by its id", async () => {
    const { body } = await upload(png(2, 2, 90), {});
    assert.equal(body.name, body.id);
    assert.equal(body.markdown, `![](/media/${body.id}.png)`);
  });

  it("believes the bytes and says so", async () => {
    const headers = { "Content-Type": "image/png" };
    const { status, body } = await upload(jpeg(9, 8), { name: "x.png" }, { headers });
    assert.equal(status, 201);
    assert.match(body.path, /\.jpg$/);
    assert.deepEqual(body.notices, [
      "The file is kept as image/jpeg, as its bytes say, not as image/png",
    ]);
  });

  it("stores the same bytes once, also in concurrent uploads", async () => {
    const before = onDisk().kept.length;
    const bytes = png(5, 5, 55);
    const answers = await Promise.all([1, 2, 3, 4].map((n) => upload(bytes, { name: `${n}.png` })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 201]);
    assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
    const known = answers.find(({ status }) => status === 200);
    assert.deepEqual(known?.body.notices, [
      "The site has had this file before; what was said of it stays as it is",
    ]);
    assert.equal(onDisk().kept.length, before + 1);
    assert.deepEqual(onDisk().receiving, []);
  });

  it("refuses other kinds of files with a reason, and stores nothing of them", async () => {
    const before = onDisk();
    const html = Buffer.from("<!doctype html><script>alert(1)</script>");
    const { status, body } = await upload(html, { name: "x.png" });
    assert.equal(status, 415);
    assert.match(
      body.detail,
      /^This is a text or a file of unknown kind, which is not published here\. Taken are png, /,
    );
    assert.equal((await upload(png(3, 3).subarray(0, 20))).status, 400);
    assert.equal((await upload(jpeg(3, 3).subarray(0, 20))).status, 400);
    assert.equal((await upload(Buffer.alloc(0))).body.detail, "The file is empty");
    const zipped = { "Content-Encoding": "gzip" };
    assert.equal((await upload(png(3, 3), {}, { headers: zipped })).status, 415);
    assert.deepEqual(onDisk(), before);
  });

  it("takes 25 MiB and not a byte more, in a form as well", async () => {
    const before = onDisk();
    const large = Buffer.alloc(MEDIA_FILE_BYTES_MAX + 1);
    PDF.copy(large);
    const { status, body } = await upload(large);
    assert.deepEqual([status, body.detail], [413, "The file is larger than 25 MiB"]);
    const form = new FormData();
    form.set("file", new File([new Uint8Array(large)], "x.pdf"));
    assert.equal((await uploadForm(form)).status, 413);
    assert.deepEqual(onDisk(), before);
    const whole = await upload(large.subarray(0, MEDIA_FILE_BYTES_MAX));
    assert.deepEqual([whole.status, whole.body.bytes], [201, MEDIA_FILE_BYTES_MAX]);
  });

  it("reports an invalid description", async () => {
    const faults: [Record<string, string>, RegExp][] = [
      [{ alt: "x".repeat(501) }, /alt: is longer than 500 characters/],
      [{ credit: "x".repeat(301) }, /credit: is longer than 300 characters/],
      [{ name: "a\u0007b" }, /name: contains control characters/],
      [{ title: "x" }, /has keys that mean nothing here: title/],
    ];
    for (const [stated, message] of faults) {
      const { status, body } = await upload(png(1, 1), stated);
      assert.equal(status, 400);
      assert.match(body.detail, message);
    }
    const form = new FormData();
    form.set("file", new File([new Uint8Array(png(1, 1))], "x.png"));
    form.set("colour", "red");
    assert.match((await uploadForm(form)).body.detail, /mean nothing here: colour/);
  });

  it("reports an invalid form", async () => {
    const none = new FormData();
    none.set("alt", "x");
    assert.equal((await uploadForm(none)).body.detail, "The form has 0 files; send one at a time");
    const two = new FormData();
    two.append("file", new File([new Uint8Array(png(1, 1))], "x.png"));
    two.append("file", new File([new Uint8Array(png(1, 2))], "y.png"));
    assert.equal((await uploadForm(two)).body.detail, "The form has 2 files; send one at a time");
    for (const type of ["multipart/form-data", "multipart/form-data; boundary=x"]) {
      const { status, body } = await api.request("POST", "/media", {
        body: "--x\r\nContent-Disposition: form-data",
        headers: { "Content-Type": type },
      });
      assert.equal(status, 400);
      assert.equal(body.detail, "The form cannot be read: it ends early or is not well-formed");
    }
  });

  it("limits concurrent large forms", async () => {
    const busy = await Promise.all(
      [1, 2, 3].map(async () =>
        api.request("POST", "/media", {
          body: "--x--",
          headers: {
            "Content-Type": "multipart/form-data; boundary=x",
            "Content-Length": "25000000",
          },
        }),
      ),
    );
    const refused = busy.filter(({ status }) => status === 503);
    assert.equal(refused.length, 1);
    assert.equal(refused[0]?.headers.get("retry-after"), "5");
    assert.match(refused[0]?.body.detail, /or send the file as the raw body$/);
  });

  it("needs media:write", async () => {
    const key = await api.issue("content:write", "content:read");
    const { status, body } = await upload(png(1, 1, 3), {}, { key });
    assert.deepEqual([status, body.detail], [403, "This key lacks the scope media:write"]);
  });

  it("leaves nothing behind when cut off", async () => {
    const server = api.app.server;
    const port = await listening(server);
    const before = onDisk();
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `POST /api/v1/media HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${api.key}\r\nContent-Length: 100000\r\n\r\n`,
    );
    socket.write(png(3, 3, 9));
    await until(() => onDisk().receiving.length === 1);
    socket.destroy();
    await until(() => onDisk().receiving.length === 0);
    assert.deepEqual(onDisk(), before);
    assert.doesNotMatch(api.app.logged.join(""), /A request failed/);
    await ended(server);
  });
});

describe("the list of files", () => {
  it("is listed, latest first, page by page, and by what is asked", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      api.clock.now = new Date(NOW.getTime() + (n + 1) * 1000);
      ids.unshift((await upload(png(8, 8, 200 + n), { name: `Walk_${n}%.png` })).body.id);
    }
    const first = await api.request("GET", "/media?limit=2&text=walk_");
    const second = await api.request(
      "GET",
      `/media?limit=2&text=walk_&cursor=${first.body.nextCursor}`,
    );
    const found = [...first.body.items, ...second.body.items].map(({ id }) => id);
    assert.deepEqual(found, ids);
    assert.equal(second.body.nextCursor, null);
    assert.equal((await api.request("GET", "/media?text=walk_1%25")).body.items.length, 1);
    assert.equal((await api.request("GET", "/media?text=walk%25p")).body.items.length, 0);
    await upload(MP3, { name: "song.mp3" });
    const audio = await api.request("GET", "/media?type=audio");
    assert.deepEqual(
      audio.body.items.map(({ name }: MediaFileInput) => name),
      ["song.mp3"],
    );
    assert.equal((await api.request("GET", "/media?type=audio/mpeg")).body.items.length, 1);
    const unknown = await api.request("GET", "/media?type=text/html");
    assert.equal(unknown.status, 400);
    assert.match(unknown.body.detail, /^No file has the type "text\/html"; use image, audio, /);
    assert.equal((await api.request("GET", "/media?cursor=x")).status, 400);
    assert.equal((await api.request("GET", "/media?unused=maybe")).status, 400);
    assert.equal((await api.request("GET", "/media?limit=0")).status, 400);
  });

  it("names the items that use a file, in every status", async () => {
    const { body } = await upload(png(8, 8, 210), { name: "used.png" });
    const draft = { type: "page", path: "/shows-it", title: "Shows it", body: `![](${body.path})` };
    const item = await api.request("POST", "/content", { body: draft });
    const read = await api.request("GET", `/media/${body.id}`);
    assert.deepEqual(read.body.usedBy, [
      {
        id: item.body.id,
        type: "page",
        path: "/shows-it",
        title: "Shows it",
        status: "draft",
      },
    ]);
    const unused = await api.request("GET", "/media?unused=true&limit=100");
    assert(unused.body.items.length > 3);
    assert(unused.body.items.every(({ id }: { id: string }) => id !== body.id));
  });

  it("is found where it lacks a description", async () => {
    const described = await upload(png(8, 8, 231), { name: "a.png", alt: "A lamp" });
    const decorative = await upload(png(8, 8, 232), { name: "b.png", isDecorative: "true" });
    const bare = await upload(png(8, 8, 233), { name: "c.png" });
    const { body } = await api.request("GET", "/media?undescribed=true&limit=100");
    const found = new Set(body.items.map(({ id }: { id: string }) => id));
    assert.deepEqual(
      [bare, described, decorative].map((each) => found.has(each.body.id)),
      [true, false, false],
    );
  });

  it("is changed with the current ETag only", async () => {
    const { body } = await upload(png(8, 8, 211), { name: "x.png" });
    const address = `/media/${body.id}`;
    const patch = { body: { alt: "New", credit: "Jane Doe" } };
    assert.equal((await api.request("PATCH", address, patch)).status, 428);
    const stale = await api.request("PATCH", address, { ...patch, headers: { "If-Match": '"7"' } });
    assert.equal(stale.status, 412);
    const current = { "If-Match": '"1"' };
    const done = await api.request("PATCH", address, { ...patch, headers: current });
    assert.deepEqual([done.status, done.body.alt, done.body.revision], [200, "New", 2]);
    assert.equal(done.headers.get("etag"), '"2"');
    assert.equal((await latestAudit())["action"], "media.update");
    const same = await api.request("PATCH", address, { ...patch, headers: { "If-Match": '"2"' } });
    assert.equal(same.body.revision, 2);
    const cleared = await api.request("PATCH", address, {
      body: { alt: null },
      headers: { "If-Match": "*" },
    });
    assert.deepEqual([cleared.body.alt, cleared.body.credit], ["", "Jane Doe"]);
    for (const wrong of [{ alt: 1 }, { bytes: 3 }, { name: "" }, { alt: "x".repeat(501) }]) {
      const told = await api.request("PATCH", address, {
        body: wrong,
        headers: { "If-Match": "*" },
      });
      assert.equal(told.status, 400, JSON.stringify(wrong));
    }
  });

  it("is gone with the file, once nothing uses it", async () => {
    const { body } = await upload(png(8, 8, 212), { name: "x.png" });
    const page = { type: "page", path: "/uses-it", title: "Uses it", body: `[x](${body.url})` };
    const item = await api.request("POST", "/content", { body: page });
    const address = `/media/${body.id}`;
    const any = { headers: { "If-Match": "*" } };
    const refused = await api.request("DELETE", address, any);
    assert.equal(refused.status, 409);
    assert.equal(
      refused.body.detail,
      `Cannot remove "x.png": it is used by /uses-it. Take ${body.path} out of them first`,
    );
    await api.request("PATCH", `/content/${item.body.id}`, { body: { body: "Without" }, ...any });
    assert.equal((await api.request("DELETE", address, any)).status, 204);
    const entry = await latestAudit();
    assert.deepEqual([entry["action"], entry["target"]], ["media.remove", body.path]);
    assert.equal((await api.request("GET", address)).status, 404);
    assert.equal((await api.request("DELETE", address, any)).status, 404);
    const files = openMediaFolder(folder);
    const { media } = api.app.record;
    await trashWithdrawnFiles(media, api.app.apiParts.mediaFiles, NOW);
    assert.equal(await files.find(`${body.id}.png`), null);
    assert.equal((await api.app.get(body.path)).status, 404);
    assert.equal((await upload(png(8, 8, 212), { alwaysPublic: "true" })).status, 201);
    assert.equal((await api.app.get(body.path)).status, 200);
  });

  it("keeps a file that comes back while it is being removed", async () => {
    const bytes = png(8, 8, 213);
    const { body } = await upload(bytes, { alwaysPublic: "true" });
    for (let turn = 0; turn < 5; turn += 1) {
      await api.request("DELETE", `/media/${body.id}`, { headers: { "If-Match": "*" } });
      await upload(bytes, { alwaysPublic: "true" });
    }
    await sleep(2500);
    assert.equal((await api.app.get(body.path)).status, 200);
  });

  it("answers 404 without a file", async () => {
    for (const id of ["x", "0".repeat(32), "..%2f..%2fcommonplace.db"]) {
      const { status, body } = await api.request("GET", `/media/${id}`);
      assert.equal(status, 404);
      assert.match(
        body.detail,
        /^There is no file with this id; an id is the 32 characters after /,
      );
    }
  });
});

it("moves what a crash left in the folder to the trash, and nothing else", async () => {
  const { body } = await upload(png(8, 8, 220));
  const orphan = `${"0".repeat(32)}.png`;
  writeFileSync(join(folder, orphan), png(1, 1));
  writeFileSync(join(folder, "notes.txt"), "not ours");
  const files = openMediaFolder(folder);
  const before = new Set(await files.trash.names());
  await trashUnknownFiles(api.app.record.media, files, NOW);
  const moved = (await files.trash.names()).filter((name) => !before.has(name));
  assert.deepEqual(moved, [orphan]);
  assert(!existsSync(join(folder, orphan)));
  assert(existsSync(join(folder, `${body.id}.png`)));
  assert(existsSync(join(folder, "notes.txt")));
});
