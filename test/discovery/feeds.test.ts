import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { validateXML, type XMLInput } from "xmllint-wasm";
import { contentTypeSchema } from "../../src/content/types/content-type.ts";
import { hasItemFeeds } from "../../src/discovery/feeds.ts";
import { openReading } from "../support/reading-store.ts";
import { documentText, openFixtureSite, textOf } from "./fixture-site.ts";

const site = openFixtureSite();
after(() => site[Symbol.dispose]());
const { context } = site;

async function isWellFormed(xml: XMLInput): Promise<boolean> {
  const { valid } = await validateXML({ xml, normalization: "c14n" });
  return valid;
}

describe("feeds", () => {
  it("are well-formed whatever a title holds", async () => {
    using store = openFixtureSite();
    store.put("topic", "/topics/odd", { title: 'A <b> & "c" ]]> \u0000\u000b d', summary: "<&>" });
    store.put("quotation", "/quotations/odd", {
      title: "<script>\u0007",
      relations: { topics: ["/topics/odd"] },
    });
    for (const path of ["/feed.atom", "/topics/odd/feed.atom", "/sitemap.xml"]) {
      assert.equal(await isWellFormed(textOf(store.context, path)), true, path);
    }
    assert.equal(await isWellFormed("<feed>&</feed>"), false);
  });

  it("hold what was changed last, first", () => {
    using store = openFixtureSite();
    store.put("topic", "/topics/late", { title: "Late", updatedAt: "2026-11-20T00:00:00.000Z" });
    const feed = JSON.parse(textOf(store.context, "/feed.json"));
    assert.equal(feed.items[0].url, `${context.origin}/topics/late`);
    assert.equal(feed.items.length, 30);
    const times = feed.items.map((item: { date_modified: string }) => item.date_modified);
    assert.deepEqual(times, [...times].sort().reverse());
  });

  it("have what RFC 4287 and JSON Feed 1.1 require", () => {
    for (const base of ["", "/topics/courage"]) {
      const atom = textOf(context, `${base}/feed.atom`);
      const [head = "", ...entries] = atom.split("<entry");
      for (const part of [head, ...entries]) {
        for (const name of ["id", "title", "updated"]) {
          assert.equal(part.match(new RegExp(`<${name}>[^<]+</${name}>`, "g"))?.length, 1, part);
        }
      }
      assert.match(head, /<author><name>[^<]+<\/name><\/author>/);
      assert(head.includes(`<link rel="self" type="application/atom+xml" href="${context.origin}`));
      assert(entries.every((entry) => /<link rel="alternate" type="text\/html"/.test(entry)));
      const feed = JSON.parse(textOf(context, `${base}/feed.json`));
      assert.equal(feed.version, "https://jsonfeed.org/version/1.1");
      assert(feed.title.length > 0);
      for (const item of feed.items) {
        assert(item.id.startsWith(context.origin) && item.content_text.length > 0);
        assert.equal(new Date(item.date_modified).toISOString(), item.date_modified);
      }
    }
  });

  it("break a long text off between words, and show that they do", () => {
    using store = openFixtureSite();
    store.put("topic", "/topics/long", {
      body: "seventeen letters ".repeat(90),
      updatedAt: "2026-11-21T00:00:00.000Z",
    });
    const [item] = JSON.parse(textOf(store.context, "/feed.json")).items;
    assert.match(item.content_text, /^(seventeen letters )+(seventeen|seventeen letters)…$/);
  });

  it("of a page hold what points at it, of whatever type, and nothing else", () => {
    const feed = JSON.parse(textOf(context, "/topics/courage/feed.json"));
    const paths = feed.items.map(({ url }: { url: string }) => url.slice(context.origin.length));
    assert(paths.includes("/events/reading-evening"));
    for (const path of paths) {
      const found = context.reading.resolve(path);
      assert(found.kind === "item");
      assert(
        found.item.links["topics"]?.some((link) => link.path === "/topics/courage"),
        path,
      );
    }
    const author = JSON.parse(textOf(context, "/authors/boethius/feed.json"));
    assert(author.items.some(({ url }: { url: string }) => url.includes("/works/")));
    assert(author.items.some(({ url }: { url: string }) => url.includes("/quotations/")));
  });

  it("of a page mix types by the time of their last change", () => {
    using store = openFixtureSite();
    const relations = { topics: ["/topics/courage"] };
    const changes = [
      ["event", "/events/newest", "2026-11-20T00:00:00.000Z"],
      ["quotation", "/quotations/newer", "2026-11-19T00:00:00.000Z"],
      ["event", "/events/oldest", "2020-01-01T00:00:00.000Z"],
    ] as const;
    for (const [type, path, updatedAt] of changes) store.put(type, path, { relations, updatedAt });
    const { items } = JSON.parse(textOf(store.context, "/topics/courage/feed.json"));
    const paths = items.map(({ url }: { url: string }) => url.slice(context.origin.length));
    assert.deepEqual(paths.slice(0, 2), ["/events/newest", "/quotations/newer"]);
    assert.equal(paths.at(-1), "/events/oldest");
  });

  it("of a page hold an item once that points at it by several relations", () => {
    const letter = contentTypeSchema.parse({
      name: "letter",
      label: "Letter",
      plural: "Letters",
      listPath: "/letters",
      relations: {
        sender: {
          label: "From",
          target: "author",
          many: false,
          inverse: { name: "sent", label: "Sent" },
        },
        recipient: {
          label: "To",
          target: "author",
          many: false,
          inverse: { name: "got", label: "Received" },
        },
      },
    });
    using store = openReading([letter]);
    const reading = store.reading;
    store.put("author", "/authors/seneca");
    const both = { sender: ["/authors/seneca"], recipient: ["/authors/seneca"] };
    store.put("letter", "/letters/to-himself", { relations: both });
    store.put("letter", "/letters/to-lucilius", { relations: { sender: ["/authors/seneca"] } });
    const text = textOf({ ...context, reading }, "/authors/seneca/feed.json");
    const ids = JSON.parse(text).items.map(({ id }: { id: string }) => id);
    assert.deepEqual(ids.sort(), [
      `${context.origin}/letters/to-himself`,
      `${context.origin}/letters/to-lucilius`,
    ]);
  });

  it("say the same in both formats", () => {
    for (const page of ["", "/topics/time", "/authors/epictetus"]) {
      const atom = textOf(context, `${page}/feed.atom`);
      const ids = [...atom.matchAll(/<id>([^<]+)<\/id>/g)].map((match) => match[1]).slice(1);
      const json = JSON.parse(textOf(context, `${page}/feed.json`));
      assert.deepEqual(
        ids,
        json.items.map(({ id }: { id: string }) => id),
      );
    }
  });

  it("exist for the site and for pages of types that others point at", () => {
    const typesWithFeeds = [...context.reading.types().values()].filter((type) =>
      hasItemFeeds(context.reading, type),
    );
    assert.deepEqual(
      typesWithFeeds.map(({ name }) => name),
      ["topic", "author", "work"],
    );
    const none = ["/quotations/abet", "/topics/nope", "/events/reading-evening"];
    for (const page of none) assert.equal(documentText(context, `${page}/feed.atom`), null, page);
  });

  it("stay valid when nothing points at the page yet", async () => {
    using store = openFixtureSite();
    store.put("topic", "/topics/new", { title: "New", updatedAt: "2026-11-19T00:00:00.000Z" });
    assert.deepEqual(JSON.parse(textOf(store.context, "/topics/new/feed.json")).items, []);
    const atom = textOf(store.context, "/topics/new/feed.atom");
    assert.match(atom, /<updated>2026-11-19T00:00:00\.000Z<\/updated>/);
  });
});
