import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../support/api-client.ts";
import { MP4, PDF, png } from "../support/media-bytes.ts";

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
  it("has its size, which avoids layout shift; the first loads at once, others lazily", async () => {
    const { path } = await upload();
    const page = await html(await publish(`Before ![A garden](${path}) after ![B](${path})`));
    const size = 'width="30" height="20"';
    assert(
      page.includes(
        `<p>Before <img src="${path}" alt="A garden" ${size} fetchpriority="high" decoding="async" /> after <img src="${path}" alt="B" ${size} loading="lazy" decoding="async" /></p>`,
      ),
      page,
    );
  });

  it("is offered in smaller versions, no larger than it is shown", async () => {
    const { body } = await api.request("POST", "/media", { body: png(2000, 10) });
    const { id, path } = body;
    const page = await html(await publish(`![A]( ${path})\n\n<img src="${path}" width="200">`));
    const [first = "", second = ""] = page.match(/<picture>.*?<\/picture>/g) ?? [];
    const widths = [320, 640, 960, 1440];
    for (const format of ["avif", "webp"]) {
      const versions = widths.map((width) => `/media/${id}-${width}.${format} ${width}w`);
      assert(
        first.includes(
          `<source type="image/${format}" srcset="${versions.join(", ")}" sizes="min(100vw, 760px)" />`,
        ),
        first,
      );
    }
    assert.match(first, /<img src="[^"]+" alt="A" width="2000" height="10" fetchpriority="high"/);
    assert.match(second, /sizes="min\(100vw, 200px\)"/);
    const markdown = await (await api.app.get("/pictures-2.md")).text();
    assert.match(markdown, /!\[A\]\(https:\/\/quotations\.example\/media\/[0-9a-f]{32}\.png\)/);
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

it("links to a document and says how large it is, in both forms but not in search", async () => {
  const { body } = await api.request("POST", "/media?name=Statutes.pdf", { body: PDF });
  const path = await publish(`${body.markdown} and [a page](/about)`);
  const shown = await html(path);
  const link = `<a href="${body.path}">Statutes.pdf</a> <bdi>(PDF, 1 kB)</bdi>`;
  assert(shown.includes(`<p>${link} and <a href="/about">a page</a></p>`), shown);
  assert.match(shown, /<meta name="description" content="Statutes\.pdf and a page">/);
  const markdown = await (await api.app.get(`${path}.md`)).text();
  assert(markdown.includes(`[Statutes.pdf](${body.url}) (PDF, 1 kB)`), markdown);
});

it("says how large files in a table are", async () => {
  const { body } = await api.request("POST", "/media?name=Statutes.pdf", { body: PDF });
  const path = await publish(`| Minutes |\n| --- |\n| [May](${body.path}) |`);
  assert.match(await html(path), /<td><a href="[^"]+">May<\/a> <bdi>\(PDF, 1 kB\)<\/bdi><\/td>/);
});

describe("a figure", () => {
  it("is a picture alone with a title, its caption, which comes before the credit", async () => {
    const { path, url } = await upload({ credit: "Jane Doe" });
    const page = await publish(`![A garden](${path} "In *June*")\n\nText ![A](${path} "title").`);
    const shown = await html(page);
    assert.match(
      shown,
      /<figure>\s*<img src="[^"]+" alt="A garden" width="30" height="20" [^>]+ \/>\s*<figcaption>In \*June\* · Jane Doe<\/figcaption>\s*<\/figure>\s*<p>Text <img [^>]+title="title"/,
    );
    const markdown = await (await api.app.get(`${page}.md`)).text();
    assert(markdown.includes(`![A garden](${url} "In *June*")\nJane Doe\n\nText`), markdown);
    const found = await (await api.app.get("/search?q=%22In+June%22")).text();
    assert(found.includes(`href="${page}"`), "captions are found");
  });

  it("has no caption that only repeats the alternative text", async () => {
    const { path } = await upload();
    assert.doesNotMatch(await html(await publish(`![A](${path} "A")`)), /<figure/);
  });

  it("of pictures line by line is a gallery, each leading to its full size", async () => {
    const [one, two] = [await upload({ credit: "Jane Doe" }), await upload()];
    const page = await publish(
      `![One](${one.path} "First")\n![Two](${two.path})\n![](${two.path})`,
    );
    const shown = (await html(page)).replaceAll(/ width[^>]*\/>\n?|\n/g, "");
    const linked = (path: string, alt: string) =>
      `<a href="${path}"><img src="${path}" alt="${alt}"</a>`;
    const caption = "<figcaption>First · Jane Doe</figcaption>";
    const gallery = `<ul class="gallery"><li><figure>${linked(one.path, "One")}${caption}</figure></li><li>${linked(two.path, "Two")}</li><li><img src="${two.path}" alt=""</li></ul>`;
    assert(shown.includes(gallery), shown);
    const markdown = await (await api.app.get(`${page}.md`)).text();
    assert(
      markdown.includes(
        `![One](${one.url} "First")\n![Two](${two.url})\n![](${two.url})\nJane Doe\n`,
      ),
      markdown,
    );
  });

  it("is not made of pictures in a line, or of other sites", async () => {
    const { path } = await upload();
    const page = await html(
      await publish(`![a](${path}) ![b](${path})\n\n![c](https://e.org/c.png)\n![d](${path})`),
    );
    assert.doesNotMatch(page, /gallery|<figure/);
  });
});

describe("a recording", () => {
  it("is a link with a poster, which names what it leads to", async () => {
    const film = (await api.request("POST", "/media?name=Film.mp4", { body: MP4 })).body;
    const poster = await upload();
    const page = await publish(`[![](${poster.path})](${film.path} "Our meeting")`);
    const shown = await html(page);
    assert.match(
      shown,
      /<figure class="recording">\s*<a href="\/media\/[0-9a-f]+\.mp4"><img [^>]+alt="Our meeting \(MP4, 1 kB\)"[^>]+><\/a>\s*<figcaption>Our meeting \(MP4, 1 kB\)<\/figcaption>\s*<\/figure>/,
    );
    const markdown = await (await api.app.get(`${page}.md`)).text();
    assert(
      markdown.includes(`[![](${poster.url})](${film.url} "Our meeting") (MP4, 1 kB)`),
      markdown,
    );
  });

  it("written as a picture is a link", async () => {
    const film = (await api.request("POST", "/media?name=Film.mp4", { body: MP4 })).body;
    const shown = await html(await publish(`![Our film](${film.path}) ![](${film.path})`));
    assert(shown.includes(`<a href="${film.path}">Our film</a> <bdi>(MP4, 1 kB)</bdi>`), shown);
    assert(shown.includes(`<a href="${film.path}">MP4</a>`), shown);
    assert.doesNotMatch(shown, /<img [^>]+mp4/);
  });
});

describe("a picture in an editors' note", () => {
  it("has its size, its small versions, and its words as soon as they change", async () => {
    const { body } = await api.request("POST", "/media", { body: png(2000, 10, 99) });
    const { id, path, url } = body;
    const slots = { header: `![](${path})`, footer: `![Sponsor](${path})` };
    const look = { look: { slots: { ...slots, home: `![](${path})` } } };
    const headers = { "If-Match": "*" };
    const saved = await api.request("PATCH", "/settings", { body: look, headers });
    assert.equal(saved.status, 200);
    await change(id, { alt: "A view" });
    const [header = "", home = "", footer = ""] =
      (await html("/")).match(/<picture>.*?<\/picture>/g) ?? [];
    assert.match(header, /-320\.webp 320w.*alt="A view" width="2000" height="10" fetchpriority/);
    assert.match(home, /alt="A view" width="2000" height="10" loading="lazy"/);
    assert.match(footer, /alt="Sponsor" width="2000" height="10" loading="lazy"/);
    await change(id, { alt: "Another view" });
    assert.equal((await html("/")).split('alt="Another view"').length, 3);
    const markdown = await (await api.app.get("/index.md")).text();
    assert(markdown.includes(`![Another view](${url})`), markdown);
  });
});
