import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openApiClient } from "../support/api-client.ts";
import { importedFolder } from "../support/imported-folder.ts";
import { PDF, png } from "../support/media-bytes.ts";
import { openPeopleSite } from "../support/people.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

const CREDIT = "Photograph: A. *Reader*, public domain";
const ANY = { "If-Match": "*" };
let picture = { id: "", path: "", url: "" };

async function upload(body: Uint8Array, stated: Record<string, string> = {}) {
  return (await api.request("POST", `/media?${new URLSearchParams(stated)}`, { body })).body;
}

async function saveAuthor(title: string, fields: Readonly<Record<string, string>>) {
  const body = { type: "author", title, fields, status: "published" };
  return await api.request("POST", "/content", { body });
}

async function html(path: string): Promise<string> {
  return await (await api.app.get(path, { Accept: "text/html" })).text();
}

before(async () => {
  picture = await upload(png(2000, 2500), { alt: "A woman with a hat" });
  const fields = { portrait: picture.url, portrait_credit: CREDIT };
  const { status, body } = await saveAuthor("Wilma Field", fields);
  assert.equal(status, 201);
  assert.equal(body.fields.portrait, picture.path, "an absolute address is made root-relative");
});

describe("a portrait", () => {
  it("opens the page, small, at once and with its credit", async () => {
    const page = await html("/authors/wilma-field");
    const [figure = ""] = page.match(/<figure class="portrait">.*?<\/figure>/s) ?? [];
    assert.match(
      figure,
      /<img src="[^"]+" alt="A woman with a hat" width="176" height="220" fetchpriority="high"/,
    );
    assert.match(figure, /-320\.avif 320w.* sizes="min\(100vw, 176px\)"/);
    assert(figure.endsWith(`<figcaption>${CREDIT}</figcaption></figure>`), figure);
    assert(page.indexOf("</h1>\n<figure") > 0, "it comes first");
    assert.doesNotMatch(page, /<dt>(?:Portrait|Credit)/);
  });

  it("is in the Markdown, the structured data and the link preview", async () => {
    const markdown = await (await api.app.get("/authors/wilma-field.md")).text();
    const credit = CREDIT.replaceAll("*", "\\*");
    assert(markdown.includes(`![A woman with a hat](${picture.url})\n\n${credit}\n`), markdown);
    const page = await html("/authors/wilma-field");
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
    const graph: { "@type": string; image?: object }[] = JSON.parse(json)["@graph"];
    assert.deepEqual(graph.find((each) => each["@type"] === "Person")?.image, {
      ...{ "@type": "ImageObject", contentUrl: picture.url, width: 2000, height: 2500 },
      ...{ caption: "A woman with a hat", creditText: CREDIT },
    });
    assert(page.includes(`<meta property="og:image" content="${picture.url}">`));
  });

  it("counts among the uses of its picture, and takes part when that is replaced", async () => {
    const { body } = await api.request("GET", `/media/${picture.id}`);
    assert.deepEqual(
      body.usedBy.map(({ title }: { title: string }) => title),
      ["Wilma Field"],
    );
    const next = await upload(png(10, 10, 7));
    const replaced = await api.request("POST", `/media/${picture.id}/replace`, {
      body: { with: next.id },
      headers: ANY,
    });
    assert.equal(replaced.status, 200, replaced.text);
    assert.match(await html("/authors/wilma-field"), new RegExp(`<img src="${next.path}"`));
  });

  it("that is not there leaves the page as it is without", async () => {
    const portrait = `/media/${"0".repeat(32)}.png`;
    await saveAuthor("Nobody Pictured", { portrait, portrait_credit: "A" });
    const page = await html("/authors/nobody-pictured");
    assert.match(page, /<h1>Nobody Pictured<\/h1>/);
    assert.doesNotMatch(page, /class="portrait"|ImageObject|000000/);
  });

  it("is refused without a credit, and as anything but a picture of the site", async () => {
    const problem = async (fields: Readonly<Record<string, string>>) => {
      const { status, body } = await saveAuthor("Refused", fields);
      assert.equal(status, 400);
      return body.problems;
    };
    const uncredited = await problem({ portrait: picture.path });
    assert.equal(uncredited[0].where, "fields.portrait_credit");
    assert.match(uncredited[0].message, /^is missing: say who made the picture/);
    const document = await upload(PDF);
    const elsewhere = [`https://other.example${picture.path}`, `//other.example${picture.path}`];
    const refused = ["https://example.org/a.jpg", document.path, "face.jpg", ...elsewhere];
    for (const portrait of refused) {
      const [{ where, message }] = await problem({ portrait, portrait_credit: "A" });
      assert.equal(where, "fields.portrait");
      assert.match(message, /^give the address of a picture of this site/);
    }
  });
});

/** Ends like the address of a file of the site. */
const LIKE_OWN = `media/${"ab".repeat(16)}.png`;

it("the portrait that front matter names is published with the file", async () => {
  const author = (name: string, file: string) =>
    `---\ntype: author\ntitle: ${name}\nportrait: ${file}\nportrait_credit: By me\n---\n\nText.\n`;
  const { items, err } = await importedFolder(
    {
      "authors/ann.md": author("Ann", "faces/ann.png"),
      "authors/bob.md": author("Bob", "bob.png"),
      "authors/cleo.md": author("Cleo", LIKE_OWN),
      "authors/dan.md": author("Dan", `https://other.example/${LIKE_OWN}`),
      "authors/faces/ann.png": png(8, 8),
      [`authors/${LIKE_OWN}`]: png(8, 8, 7),
    },
    "/authors/ann",
    "/authors/bob",
    "/authors/cleo",
    "/authors/dan",
  );
  const cleo = String(items.get("/authors/cleo")?.fields["portrait"]);
  assert.match(cleo, /^\/media\/[0-9a-f]{32}\.png$/);
  assert.notEqual(cleo, `/${LIKE_OWN}`, "a file of the folder, not of the site");
  assert.equal(items.get("/authors/dan"), undefined);
  assert.match(err, /dan\.md:4: portrait: .*give the address of a picture of this site/);
  assert.match(
    String(items.get("/authors/ann")?.fields["portrait"]),
    /^\/media\/[0-9a-f]{32}\.png$/,
  );
  assert.deepEqual(items.get("/authors/bob")?.fields, { portrait_credit: "By me" });
  assert.match(
    err,
    /bob\.md:4: portrait: warning: "bob\.png" is left out: there is no such picture/,
  );
});

it("the editor offers the pictures of the site for the portrait of an author", async () => {
  await using site = await openPeopleSite();
  const anna = await site.person("anna@example.org");
  const { location } = await anna.send("/admin/new", { type: "author", title: "Wilma" });
  const { text } = await anna.get(location ?? "");
  assert.match(
    text,
    /<input id="f-portrait"[^>]*><button type="button" class="quiet" hidden data-picture="f-portrait"/,
  );
});
