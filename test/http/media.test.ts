import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, describe, it } from "node:test";
import { openApiClient } from "../support/api-client.ts";
import { largePng, MP4, officeFile, openDocument, PDF, zip } from "../support/media-bytes.ts";
import { sendTo } from "../support/send-to.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const bytes = largePng(20, 10, randomBytes(200_000));
const path = await published(bytes);
const etag = `"${path.slice("/media/".length, -".png".length)}"`;

async function published(file: Uint8Array | string): Promise<string> {
  return (await api.request("POST", "/media?alwaysPublic=true", { body: file })).body.path;
}

describe("a file", () => {
  it("is served for ever, to every page, as what it is", async () => {
    const response = await api.app.get(path);
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    const told = Object.fromEntries(response.headers);
    for (const [name, value] of Object.entries({
      "content-type": "image/png",
      "content-length": String(bytes.length),
      "content-disposition": "inline",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "accept-ranges": "bytes",
      etag,
    })) {
      assert.equal(told[name], value, name);
    }
    assert.equal(told["vary"], undefined);
  });

  it("is told of without its bytes", async () => {
    const response = await sendTo(api.app.http, path, { method: "HEAD" });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-length"), String(bytes.length));
    assert.equal((await response.arrayBuffer()).byteLength, 0);
  });

  it("is not sent to whoever holds it", async () => {
    for (const held of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const response = await api.app.get(path, { "If-None-Match": held, Range: "bytes=0-1" });
      assert.equal(response.status, 304, held);
      assert.equal(response.headers.get("etag"), etag);
    }
    assert.equal((await api.app.get(path, { "If-None-Match": '"x"' })).status, 200);
  });

  it("is sent in part when a part is asked for", async () => {
    const last = bytes.length - 1;
    const parts: [string, number, number][] = [
      ["bytes=0-0", 0, 0],
      ["bytes=100-299", 100, 299],
      ["bytes=1000-", 1000, last],
      ["bytes=-500", bytes.length - 500, last],
      ["bytes=-999999999", 0, last],
      ["bytes=5-999999999", 5, last],
      ["BYTES=7-8", 7, 8],
    ];
    for (const [range, start, end] of parts) {
      const response = await api.app.get(path, { Range: range });
      assert.equal(response.status, 206, range);
      assert.equal(response.headers.get("content-range"), `bytes ${start}-${end}/${bytes.length}`);
      assert.equal(response.headers.get("content-length"), String(end - start + 1));
      const sent = Buffer.from(await response.arrayBuffer());
      assert.deepEqual(sent, bytes.subarray(start, end + 1));
    }
    const head = await sendTo(api.app.http, path, {
      method: "HEAD",
      headers: { Range: "bytes=0-9" },
    });
    const whole = String(bytes.length);
    assert.deepEqual([head.status, head.headers.get("content-length")], [200, whole]);
  });

  it("is sent whole for ranges that are none, several, or of another state", async () => {
    for (const range of ["bytes=0-1,5-6", "bytes=9-5", "bytes=-", "bytes=a-b", "lines=1-2", "x"]) {
      assert.equal((await api.app.get(path, { Range: range })).status, 200, range);
    }
    const other = { Range: "bytes=0-1", "If-Range": '"x"' };
    assert.equal((await api.app.get(path, other)).status, 200);
    const same = { Range: "bytes=0-1", "If-Range": etag };
    assert.equal((await api.app.get(path, same)).status, 206);
  });

  it("has no part behind its end", async () => {
    for (const range of [`bytes=${bytes.length}-`, "bytes=999999999999999-", "bytes=-0"]) {
      const response = await api.app.get(path, { Range: range });
      assert.equal(response.status, 416, range);
      assert.equal(response.headers.get("content-range"), `bytes */${bytes.length}`);
      assert.equal(response.headers.get("cache-control"), "no-store");
    }
  });

  it("can do nothing when it is opened by itself", async () => {
    const svg = await published('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
    const response = await api.app.get(svg);
    assert.equal(response.headers.get("content-type"), "image/svg+xml");
    assert.equal(
      response.headers.get("content-security-policy"),
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
    assert.doesNotMatch(await response.text(), /script/);
    for (const file of [PDF, MP4]) {
      const policy = (await api.app.get(await published(file))).headers;
      assert.match(policy.get("content-security-policy") ?? "", /^default-src 'none'; /);
      assert.equal(policy.get("x-content-type-options"), "nosniff");
    }
  });

  it("that is a document is saved under its own name, unless browsers read it", async () => {
    const document = officeFile("wordprocessingml.document");
    const query = new URLSearchParams({ name: 'Grüße "2026"/x.exe', alwaysPublic: "true" });
    const added = await api.request("POST", `/media?${query}`, { body: document });
    const { headers } = await api.app.get(added.body.path);
    assert.deepEqual(
      ["content-type", "content-disposition", "content-security-policy"].map((name) =>
        headers.get(name),
      ),
      [
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "attachment; filename=\"Gr__e 2026 x.exe.docx\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%202026%20x.exe.docx",
        "default-src 'none'; sandbox",
      ],
    );
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    for (const bytes of [zip({ "a.html": "<script>1</script>" }), openDocument("text")]) {
      const shown = await api.app.get(await published(bytes));
      assert.match(shown.headers.get("content-disposition") ?? "", /^attachment; filename="/);
    }
    const pdf = await api.app.get(await published(PDF));
    assert.match(pdf.headers.get("content-disposition") ?? "", /^inline; filename="/);
  });

  it("is for reading", async () => {
    for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
      assert.equal((await sendTo(api.app.http, path, { method })).status, 405, method);
    }
  });
});

describe("an address without a file", () => {
  it("is answered like every other, with the ways on", async () => {
    const response = await api.app.get(`/media/${"0".repeat(32)}.png`, { Accept: "text/html" });
    assert.equal(response.status, 404);
    assert.match(await response.text(), /href="\/search"|action="\/search"/);
    assert.doesNotMatch(response.headers.get("cache-control") ?? "", /immutable/);
  });

  it("leads to nothing outside the folder", async () => {
    for (const address of [
      "/media",
      "/media/",
      "/media/receiving",
      "/media/..%2fcommonplace.db",
      "/media/%2e%2e%2fcommonplace.db",
      "/media/....//commonplace.db",
      "/media/%2e%2e/%2e%2e/etc/passwd",
      `/media/..%5c${path.slice(7)}`,
      `${path}%00`,
      `${path}/`,
      `${path}.png`,
      path.toUpperCase().replace("MEDIA", "media"),
      path.replace(".png", ".jpg"),
    ]) {
      const { status } = await api.app.get(address);
      assert([400, 404, 308].includes(status), `${address}: ${status}`);
    }
  });
});
