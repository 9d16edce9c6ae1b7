import assert from "node:assert/strict";
import { after, it } from "node:test";
import { openPeopleSite } from "../../support/people.ts";
import { sendFiles } from "../../support/send-files.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

const PATH = "/admin/redirects/check";

it("the check of old addresses leads from what is missing to a redirect, and back", async () => {
  const olga = await site.person("olga@example.org", "editor");
  assert.match((await olga.get("/admin/redirects")).text, /href="\/admin\/redirects\/check"/);
  const list = "/about\r\n/never?a=1\r\nhttps://was.example/=x\r\n";
  const checked = await olga.send(PATH, { list });
  assert.equal(checked.status, 200, checked.text);
  assert.match(checked.text, /<dt>A page is there<\/dt><dd>1<\/dd>/);
  assert.match(checked.text, /<dt>Lead nowhere<\/dt><dd>2<\/dd>/);
  const add = "/admin/redirects?from=%2Fnever%3Fa%3D1";
  assert(checked.text.includes(`<a href="${add}">/never?a=1</a>: answers 404`), checked.text);
  assert.match((await olga.get(add)).text, /name="from" value="\/never\?a=1"/);
  assert.match(checked.text, /name="list"[^>]*>\/about\n\/never\?a=1\n\/=x\n<\/textarea>/);
  const report = await olga.send(PATH, { list, download: "true" });
  assert.match(report.headers.get("content-disposition") ?? "", /old-addresses\.csv/);
  assert.match(report.text, /^\/never\?a=1,missing,404,,answers 404,antwortet mit 404\r$/m);
  await olga.send("/admin/redirects", { from: "/never?a=1", to: "/about" });
  await olga.send("/admin/redirects", { from: "/=x", to: "" });
  const again = await olga.send(PATH, { list });
  assert.match(again.text, /All addresses answer\./);
});

it("the check of old addresses takes a sitemap as a file, in German too", async () => {
  const olga = await site.person("otto@example.org", "editor");
  const sitemap = "<urlset><url><loc>https://was.example/n%C3%AFx</loc></url></urlset>";
  const files = [new File([sitemap], "sitemap.xml")];
  const sent = await sendFiles(site, olga, { page: PATH, path: PATH, files });
  assert.match(await sent.text(), />\/n%C3%AFx<\/a>: answers 404/);
  const german = await olga.send(PATH, { list: "/nie" }, { "Accept-Language": "de" });
  assert.match(german.text, /antwortet mit 404/);
  const ignored = await olga.send(PATH, { list: "/?p=9\nalt.html" }, { "Accept-Language": "de" });
  assert.match(ignored.text, /Die Website beachtet \?p=9 nicht, und es antwortet die Startseite/);
  assert.match(ignored.text, /<dt>Zeilen, die keine Adressen sind<\/dt><dd>1<\/dd>/);
  assert.match(ignored.text, /<li>alt\.html<\/li>/);
  assert.match(ignored.text, /name="list"[^>]*>\/\?p=9\nalt\.html\n<\/textarea>/);
  const nothing = await olga.send(PATH, { list: "" });
  assert.equal(nothing.status, 400);
  assert.match(nothing.fault, /There are no addresses in the list/);
});

it("the check of old addresses is for those who may redirect", async () => {
  const cora = await site.person("cora@example.org", "contributor");
  assert.equal((await cora.get(PATH)).status, 403);
  assert.equal((await cora.send(PATH, { list: "/about" })).status, 403);
});
