import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { SCRIPT_SOURCES_BY_PATH } from "../../../src/http/admin/screens/frame/scripts.ts";
import { png } from "../../support/media-bytes.ts";
import { type Browser, openPeopleSite } from "../../support/people.ts";
import { sendFiles } from "../../support/send-files.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

async function upload(
  browser: Browser,
  files: readonly File[],
  { token, path = "/admin/media" }: { token?: string; path?: string } = {},
): Promise<Response> {
  return await sendFiles(site, browser, { page: "/admin/media", path, files, token });
}

function picture(colour: number): File {
  return new File([new Uint8Array(png(40, 30, colour))], `picture-${colour}.png`);
}

describe("the media screens", () => {
  it("take several files, show them to people who signed in, and to nobody else", async () => {
    const anna = await site.person("anna@example.org", "editor");
    const answer = await upload(anna, [picture(1), picture(2)]);
    assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/admin/media"]);
    const list = (await anna.get("/admin/media?q=picture-1")).text;
    const [file = ""] = /\/admin\/media\/files\/[0-9a-f]{32}\.png/.exec(list) ?? [];
    const shown = await anna.get(file);
    assert.deepEqual([shown.status, shown.headers.get("content-type")], [200, "image/png"]);
    assert.equal(shown.headers.get("access-control-allow-origin"), null);
    assert.equal((await site.browser().get(file)).status, 303);
    assert.equal((await site.app.get(file.replace("/admin/media/files", "/media"))).status, 404);
    assert.doesNotMatch(list, /picture-2/);
  });

  it("ask for the words of a picture, keep them, and say where it is used", async () => {
    const anna = await site.person("berta@example.org", "editor");
    const { headers } = await upload(anna, [picture(3)]);
    const address = headers.get("location") ?? "";
    assert.match((await anna.get(address)).text, /<textarea id="alt"/);
    const undescribed = async () => (await anna.get("/admin/media?undescribed=true")).text;
    assert.ok((await undescribed()).includes(`href="${address}"`));
    const saved = await anna.send(address, { alt: "A [garden]", credit: "Anna", name: "Garden" });
    assert.equal(saved.location, `${address}?saved=true`);
    assert.ok(!(await undescribed()).includes(`href="${address}"`));
    const { text } = await anna.get(address);
    assert.match(text, /!\[A \\\[garden\\\]\]\(\/media\/[0-9a-f]{32}\.png\)/);
    assert.match(text, /Nothing uses it/);
    const removed = await anna.send(`${address}/remove`);
    assert.equal(removed.location, "/admin/media");
    assert.equal((await anna.get(address)).status, 404);
    const owner = await site.person("olga@example.org", "owner");
    assert.match((await owner.get("/admin/audit")).text, /<strong>File removed<\/strong> Garden\n/);
  });

  it("refuse a form of another session, a file of an unknown kind, and people who may only read", async () => {
    const anna = await site.person("carla@example.org", "editor");
    assert.equal((await upload(anna, [picture(4)], { token: "wrong" })).status, 403);
    const script = new File(["alert(1)"], "x.js");
    const refused = await upload(anna, [script], { path: "/admin/media/upload" });
    assert.equal(refused.status, 415);
    assert.match(decodeURIComponent(refused.headers.get("x-fault") ?? ""), /unknown kind/);
    const viewer = await site.person("viewer@example.org", "viewer");
    const token = / name="token" value="([^"]+)"/.exec((await viewer.get("/admin/account")).text);
    assert.equal((await upload(viewer, [picture(5)], { token: token?.[1] ?? "" })).status, 403);
    assert.doesNotMatch((await viewer.get("/admin/media")).text, /data-upload/);
  });

  it("take a file of any name, and keep of a long name the end", async () => {
    const anna = await site.person("frida@example.org", "editor");
    const names: [string, string][] = [
      [`${"x".repeat(50)}\u{1f333}${"y".repeat(195)}.png`, `${"y".repeat(195)}.png`],
      ["a\u0007b\tc.png", "a b c.png"],
    ];
    for (const [at, [sent, name]] of names.entries()) {
      const answer = await upload(anna, [new File([new Uint8Array(png(41, 30, at))], sent)]);
      assert.equal(answer.status, 303, await answer.text());
      const { text } = await anna.get(answer.headers.get("location") ?? "");
      assert.ok(text.includes(` name="name" value="${name}"`), sent);
    }
  });

  it("say that a file is too large, rather than to repeat it later", async () => {
    const anna = await site.person("emil@example.org", "editor");
    const sent = { page: "/admin/media", path: "/admin/media/upload", files: [picture(8)] };
    const headers = { "Content-Length": String(70 * 1024 * 1024) };
    const refused = await sendFiles(site, anna, sent, headers);
    assert.equal(refused.status, 413);
    const fault = decodeURIComponent(refused.headers.get("x-fault") ?? "");
    assert.match(fault, /^The file is larger than 25 MiB/);
  });

  it("replace a file by another version where it is used, and bring the old one back from the trash", async () => {
    const anna = await site.person("dora@example.org", "editor");
    const address = (await upload(anna, [picture(6)])).headers.get("location") ?? "";
    const [, path = ""] =
      /(\/media\/[0-9a-f]{32}\.png)\)/.exec((await anna.get(address)).text) ?? [];
    const begun = await anna.send("/admin/new", { type: "page", title: "With a picture" });
    const draft = begun.location ?? "";
    await anna.send(draft, { version: "1", title: "With a picture", body: `![](${path})` });
    const used = await anna.get(address);
    assert.match(used.text, /It is used\. Replace it/);
    assert.doesNotMatch(used.text, /Delete this file/);
    const replaced = await upload(anna, [picture(7)], { path: `${address}/replace` });
    assert.equal(replaced.status, 303, await replaced.text());
    const next = await anna.get(replaced.headers.get("location") ?? "");
    assert.match(next.text, /These places show the new file now/);
    assert.match(next.text, /With a picture/);
    assert.doesNotMatch((await anna.get(draft)).text, new RegExp(path));
    assert.equal((await anna.get(address)).status, 404);
    assert.match((await anna.get("/admin/trash")).text, /picture-6\.png/);
    const restored = await anna.send(`${address}/restore`);
    assert.equal(restored.location, address);
    assert.match((await anna.get(address)).text, /Nothing uses it/);
  });
});

it("the scripts of the screens find everything they import", async () => {
  const imported = [...SCRIPT_SOURCES_BY_PATH.values()].flatMap((text) =>
    [...text.matchAll(/(?: from|^import) "(\/[^"]+)"/gm)].map(([, path = ""]) => path),
  );
  assert.ok(imported.some((path) => path.includes("link-label")));
  for (const path of new Set(imported)) {
    assert.equal((await site.app.get(path)).status, 200, path);
  }
});
