import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { ORIGIN } from "../../support/open-fixture.ts";
import { type Browser, openPeopleSite, type Shown } from "../../support/people.ts";
import { sendTo } from "../../support/send-to.ts";
import { found } from "../../support/until.ts";

const site = await openPeopleSite();
after(() => site[Symbol.asyncDispose]());

/** As the form of the screen sends a file, with the token of a page. */
async function sendTable({ cookies, get }: Browser, file: File, page: string): Promise<Response> {
  const form = new FormData();
  form.set("token", / name="token" value="([^"]+)"/.exec((await get(page)).text)?.[1] ?? "");
  form.append("file", file);
  const sent = new Response(form);
  return await sendTo(site.app.http, "/admin/jobs/table", {
    method: "POST",
    headers: {
      "Content-Type": sent.headers.get("content-type") ?? "",
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      Origin: ORIGIN,
      "Sec-Fetch-Site": "same-origin",
    },
    body: new Uint8Array(await sent.arrayBuffer()),
  });
}

/** @returns the page of the dry run. */
async function upload(browser: Browser, file: File): Promise<string> {
  const answer = await sendTable(browser, file, "/admin/jobs");
  assert.equal(answer.status, 303);
  return answer.headers.get("location") ?? "";
}

/** The page of a job once it has ended. */
async function endedPage({ get }: Browser, address: string | null): Promise<Shown> {
  return await found(async () => {
    const page = await get(address ?? "");
    return page.text.includes('data-progress=""') ? page : undefined;
  });
}

function chosen(page: Shown): (string | undefined)[] {
  const selects = [...page.text.matchAll(/<select id="column\.\d+"[^>]*>(.*?)<\/select>/gs)];
  return selects.map(([, options = ""]) => /value="([^"]*)" selected/.exec(options)?.[1]);
}

describe("the screen that takes a table", () => {
  it("shows what columns are taken for, tries it, is corrected, and imports the same file", async () => {
    const anna = await site.person("anna@example.org", "manager");
    const table =
      "Spruch,Wer,Wo\nEin Satz,Seneca,<i>Rom</i>\nNoch einer,Ovid,Tomi\nEin Satz,Seneca,<i>Rom</i>\n";
    const tried = await upload(anna, new File([table], "Sprüche.csv"));
    const first = await endedPage(anna, tried);
    assert.match(first.text, /What would be done/);
    assert.match(first.text, /Sprüche\.csv<\/b> Rows: 3\. Heading rows: 1\./);
    assert.match(first.text, /Line 4: is the same as line 2; skipped/);
    const wanted = { "column.0": "body", "column.1": "authors", "column.2": "-" };
    const typed = await anna.send(`${tried}/repeat`, { type: "quotation", ...wanted, run: "true" });
    const guessed = await endedPage(anna, typed.location);
    assert.match(guessed.text, /What would be done/, "another type is tried first");
    const corrected = await anna.send(`${typed.location}/repeat`, {
      ...{ type: "quotation", ...wanted, run: "false" },
    });
    const second = await endedPage(anna, corrected.location);
    assert.deepEqual(chosen(second), ["body", "authors", "-"]);
    assert.match(second.text, /<td>2<\/td><th scope="row">[^<]*Ein Satz[^<]*<\/th><td>New<\/td>/);
    assert.match(second.text, /&lt;i&gt;Rom/);
    const { location } = await anna.send(`${corrected.location}/repeat`, {
      ...{ type: "quotation", ...wanted, status: "published", run: "true" },
    });
    const done = await endedPage(anna, location);
    assert.match(done.text, /What was done/);
    assert.doesNotMatch(done.text, /Import now/);
    assert.match(await (await site.app.get("/quotations")).text(), /Ein Satz/);
  });

  it("pages what becomes of many rows", async () => {
    const berta = await site.person("berta@example.org", "manager");
    const rows = Array.from(
      { length: 70 },
      (_, n) => `Number ${n} of many,And its text ${n}.\n`,
    ).join("");
    const address = await upload(berta, new File([`title,summary\n${rows}`], "many.csv"));
    const first = await endedPage(berta, address);
    assert.match(first.text, /70 of 70/);
    assert.doesNotMatch(first.text, /Number 69/);
    const [, next = ""] = /href="([^"]*\?from=50)#items"/.exec(first.text) ?? [];
    assert.match((await berta.get(next)).text, /Number 69/);
  });

  it("offers the correction where the mapping does not fit, and says what is no table", async () => {
    const carla = await site.person("carla@example.org", "manager");
    const page = await endedPage(carla, await upload(carla, new File(["1,2\n3,4\n"], "n.csv")));
    assert.match(page.fault || page.text, /No column looks like a title or a text/);
    assert.equal(chosen(page).length, 2);
    const broken = await upload(carla, new File(["PK\x03\x04 no zip"], "a.xlsx"));
    assert.match((await endedPage(carla, broken)).text, /it is damaged, or no workbook/);
  });

  it("is closed to those who may not import", async () => {
    const edith = await site.person("edith@example.org", "editor");
    const answer = await sendTable(edith, new File(["title\nOne\n"], "a.csv"), "/admin/media");
    assert.equal(answer.status, 403);
  });
});
