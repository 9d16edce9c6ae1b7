import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../support/api-client.ts";
import { PDF, png } from "../support/media-bytes.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

let pages = 0;
let pictures = 0;

async function upload(stated: Record<string, string> = {}) {
  pictures += 1;
  const query = new URLSearchParams(stated);
  return (await api.request("POST", `/media?${query}`, { body: png(30, 20, pictures) })).body;
}

/** A published page with this text; its path. */
async function publish(text: string): Promise<string> {
  pages += 1;
  const path = `/pictures-${pages}`;
  const body = { type: "page", path, title: `Pictures ${pages}`, body: text, status: "published" };
  const { status } = await api.request("POST", "/content", { body });
  assert.equal(status, 201);
  return path;
}

async function html(path: string): Promise<string> {
  return await (await api.app.get(path, { Accept: "text/html" })).text();
}

async function change(id: string, patch: object): Promise<void> {
  const headers = { "If-Match": "*" };
  const { status } = await api.request("PATCH", `/media/${id}`, { body: patch, headers });
  assert.equal(status, 200);
}

describe("a picture in a text", () => {
  it("has its size, which avoids layout shift, and loads lazily", async () => {
    const { path } = await upload();
    const page = await html(await publish(`Before ![A garden](${path}) after`));
    assert.match(
      page,
      new RegExp(
        `<p>Before <img src="${path}" alt="A garden" width="30" height="20" loading="lazy" decoding="async" /> after</p>`,
      ),
    );
  });

  it("is recognised by its absolute URL and in HTML, where an explicit size wins", async () => {
    const { path, url } = await upload();
    const page = await html(
      await publish(`![a](${url})\n\n<img src="${path}" width="15">\n\n<img src="${path}">`),
    );
    assert.equal(page.split(`src="${path}"`).length, 4);
    assert.equal(page.split('width="30" height="20"').length, 3);
    assert.match(page, /<img src="[^"]+" alt="" width="15" loading="lazy" decoding="async" \/>/);
  });

  it("uses the alternative text of the body, or else its own", async () => {
    const { path } = await upload({ alt: 'Its "own" <words>' });
    const page = await publish(`![](${path}) ![The text’s](${path})`);
    const shown = await html(page);
    assert(shown.includes('alt="Its &quot;own&quot; &lt;words&gt;"'), shown);
    assert(shown.includes('alt="The text’s"'));
    const markdown = await (await api.app.get(`${page}.md`)).text();
    assert(
      markdown.includes(`![Its "own" \\<words>](https://quotations.example${path})`),
      markdown,
    );
  });

  it("shows its credit when it stands alone, in HTML and Markdown but not in search", async () => {
    const { path } = await upload({ credit: "Photo: Jane *Doe* <x>, CC BY 4.0" });
    const page = await publish(`![A garden](${path})\n\nThe text. ![A garden](${path})`);
    const shown = await html(page);
    assert.match(
      shown,
      /<figure>\s*<img [^>]+ \/>\s*<figcaption>Photo: Jane \*Doe\* &lt;x&gt;, CC BY 4\.0<\/figcaption>\s*<\/figure>\s*<p>The text\. <img/,
    );
    assert.match(shown, /<meta name="description" content="The text\.">/);
    const markdown = await (await api.app.get(`${page}.md`)).text();
    assert(
      markdown.includes(
        `![A garden](https://quotations.example${path})\nPhoto: Jane \\*Doe\\* \\<x>, CC BY 4.0\n\nThe text.`,
      ),
      markdown,
    );
  });

  it("reflects changes of its metadata", async () => {
    const { id, path } = await upload({ alt: "Old" });
    const page = await publish(`![](${path})`);
    assert.match(await html(page), /alt="Old"/);
    const etag = (await api.app.get(page, { Accept: "text/html" })).headers.get("etag");
    await change(id, { alt: "New", credit: "Jane Doe" });
    assert.match(await html(page), /alt="New"[\s\S]*<figcaption>Jane Doe</);
    assert.notEqual((await api.app.get(page, { Accept: "text/html" })).headers.get("etag"), etag);
  });

  it("may be added after the text, with a notice to the editor", async () => {
    const bytes = png(44, 33, 3);
    const first = (await api.request("POST", "/media", { body: bytes })).body;
    const any = { headers: { "If-Match": "*" } };
    assert.equal((await api.request("DELETE", `/media/${first.id}`, any)).status, 204);
    const body = { type: "page", path: "/early", title: "Early", body: `![](${first.path})` };
    const saved = await api.request("POST", "/content", { body: { ...body, status: "published" } });
    assert.deepEqual([saved.status, saved.body.missingMedia], [201, [first.path]]);
    assert.doesNotMatch(await html("/early"), /width="44"/);
    await api.request("POST", "/media", { body: bytes });
    assert.match(await html("/early"), /width="44" height="33"/);
    const read = await api.request("GET", `/content/${saved.body.id}`);
    assert.deepEqual(read.body.missingMedia, []);
  });
});

describe("the preview of a page", () => {
  it("is its first picture, with size and alternative text", async () => {
    const { url, path } = await upload();
    const page = await html(await publish(`Text\n\n![A garden](${path})\n\n![b](/media/b.png)`));
    assert(
      page.includes(
        `<meta property="og:image" content="${url}">\n<meta property="og:image:width" content="30">\n<meta property="og:image:height" content="20">\n<meta property="og:image:alt" content="A garden">\n`,
      ),
      page,
    );
    assert.equal(page.split('property="og:image"').length, 2);
  });

  it("may be an external picture, but not one that previews cannot show", async () => {
    const page = await html(
      await publish("![s](/x.svg) ![x](https://example.org/a.png?b=c&d=e 'Title')"),
    );
    assert(
      page.includes('<meta property="og:image" content="https://example.org/a.png?b=c&amp;d=e">'),
    );
    assert(!page.includes("og:image:width"));
  });
});

it("links to a document", async () => {
  const { body } = await api.request("POST", "/media?name=Statutes.pdf", { body: PDF });
  const path = await publish(body.markdown);
  assert.match(await html(path), new RegExp(`<p><a href="${body.path}">Statutes\\.pdf</a></p>`));
  const markdown = await (await api.app.get(`${path}.md`)).text();
  assert(markdown.includes(`[Statutes.pdf](${body.url})`), markdown);
});
