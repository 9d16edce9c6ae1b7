import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type Loose, ORIGIN, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

type Call = [tool: string, args: object];

/** A call as a model may write it, and as it is declared. */
const MEANT: [Call, Call][] = [
  [
    ["list_content", { type: "quotations", filters: { author: "Epictetus" }, limit: "2" }],
    ["list_content", { type: "quotation", filters: { authors: "Epictetus" }, limit: 2 }],
  ],
  [
    ["list_content", { type: "Quotation", author: "Epictetus" }],
    ["list_content", { type: "quotation", filters: { authors: "Epictetus" } }],
  ],
  [
    ["list_content", { types: ["work"], sort: "-quotations" }],
    ["list_content", { type: "work", sort: "count:quotations" }],
  ],
  [
    ["list_content", { type: "quotation", filters: '{"verification":"Verified"}' }],
    ["list_content", { type: "quotation", filters: { verification: "verified" } }],
  ],
  [
    ["list_content", { type: "quotation", topic: "time", count_by: "Author" }],
    ["list_content", { type: "quotation", filters: { topics: "Time" }, count_by: "authors" }],
  ],
  [
    ["search_content", { query: "time", type: "quotation", limit: "3" }],
    ["search_content", { query: "time", types: ["quotation"], limit: 3 }],
  ],
  [
    ["search_content", { queries: "time", types: '["quotation"]' }],
    ["search_content", { query: "time", types: ["quotation"] }],
  ],
  [
    ["list_topics", { sort: "quotations", limit: "2" }],
    ["list_topics", { sort: "count", limit: 2 }],
  ],
  [
    ["list_topics", { sort: "title" }],
    ["list_topics", { sort: "name" }],
  ],
  [
    [
      "list_quotations_by_topic",
      { topics: "Time", authors: "Epictetus", include_narrower: "true" },
    ],
    ["list_quotations_by_topic", { topic: "Time", author: "Epictetus", include_narrower: true }],
  ],
  [
    ["get_related_content", { urls: ["Epictetus"], relations: "work" }],
    ["get_related_content", { url: "/authors/epictetus", relation: "works" }],
  ],
  [
    ["get_content_by_url", { urls: '["/topics/time","Epictetus"]' }],
    ["get_content_by_url", { url: ["/topics/time", "/authors/epictetus"] }],
  ],
  [
    ["search_content", { query: "time", language: "English", filters: [{ topic: "time" }] }],
    ["search_content", { query: "time", language: "en", filters: { topics: "Time" } }],
  ],
  [
    ["search_content", { query: "time", language: "", cursor: "", types: "", cite: "" }],
    ["search_content", { query: "time" }],
  ],
  [
    ["list_content", { type: "work", sort: "year desc" }],
    ["list_content", { type: "work", sort: "-year" }],
  ],
  [
    ["list_content", { type: "work", year: { gte: -800, max: 2000 } }],
    ["list_content", { type: "work", filters: { year: { from: -800, to: 2000 } } }],
  ],
  [
    ["describe_content_catalog", { type: "works" }],
    ["describe_content_catalog", { type: "work" }],
  ],
];

describe("arguments as models write them", () => {
  for (const [[tool, written], [, declared]] of MEANT) {
    it(`are understood: ${tool} ${JSON.stringify(written)}`, async () => {
      const text = await service.text(tool, written);
      assert.equal(text, await service.text(tool, declared));
      assert.doesNotMatch(text, /^Cannot/);
    });
  }

  it("may ask for more than the most, which is said", async () => {
    const search = await service.call("search_content", { query: "time", limit: 50 });
    assert.deepEqual(search.notes, ["limit: 25 is the most and was used"]);
    const list = await service.call("list_content", { type: "topic", limit: "500" });
    assert.deepEqual(list.notes, ["limit: 100 is the most and was used"]);
    const text = await service.text("get_content_by_url", { url: "/about", max_chars: 1e6 });
    assert.match(text, /^Note: max_chars: 40000 is the most and was used\n\nurl: /);
  });
});

describe("arguments that are read as others", () => {
  it("are the required one under another name, which is said", async () => {
    const search = await service.call("search_content", { q: "time", limit: 1 });
    assert.deepEqual(search.notes, ["query: read from q"]);
    const { notes, author } = await service.call("list_works_by_author", { name: "Epictetus" });
    assert.deepEqual([notes, author.title], [["author: read from name"], "Epictetus"]);
    const two = await service.text("list_works_by_author", { name: "Epictetus", of: "Seneca" });
    assert.match(two, /^Cannot call list_works_by_author: author: /);
  });

  it("may be less than the least, which is said", async () => {
    const list = await service.call("list_content", { type: "topic", limit: "-3" });
    assert.deepEqual([list.notes, list.items.length], [["limit: 1 is the least and was used"], 1]);
  });

  it("are refused if they contradict themselves, with what to give", async () => {
    for (const [args, message] of [
      [
        { type: "work", year: { from: 1900, to: 1800 } },
        /the beginning, 1900, is after the end, 1800/,
      ],
      [{ type: "work", year: [1800, 1900] }, /give one value, or a range as \{"from":…,"to":…\}/],
      [{ type: "work", year: "1800-1900" }, /give a whole number, or a range/],
      [{ type: "work", language: "Klingonese" }, /give a language tag, such as en or pt-BR/],
    ] as const) {
      assert.match(await service.text("list_content", args), message);
    }
  });
});

describe("names in answers", () => {
  it("are taken by every tool that takes a URL", async () => {
    const { hits } = await service.call("search_content", { query: "time death", limit: 25 });
    const names = new Set<string>(
      hits.flatMap(({ authors, work, topics }: Loose) => {
        const linked = [authors, work, topics].flat();
        return linked.filter((name) => typeof name === "string");
      }),
    );
    assert(names.size > 3);
    for (const url of names) {
      const text = await service.text("get_content_by_url", { url });
      assert.match(text, new RegExp(`\n# ${url}\n`), url);
      assert.equal((await service.call("get_related_content", { url })).title, url);
    }
  });

  it("come with a URL where two items share them, also by an alias, and are then not guessed", async () => {
    await using own = await openMcpService();
    const author = (path: string, title: string, aliases: string[] = []) => ({
      type: "author",
      path,
      title,
      fields: { aliases },
      status: "published",
    });
    await own.save(
      author("/authors/porphyry", "Porphyry"),
      author("/authors/malchus", "Malchus", ["Porphyry"]),
      {
        type: "quotation",
        title: "Of two names",
        relations: { authors: ["/authors/porphyry"] },
        status: "published",
      },
    );
    const { hits } = await own.call("search_content", {
      query: "of two names",
      types: ["quotation"],
    });
    const found = hits.find(({ url }: Loose) => url.endsWith("of-two-names"));
    assert.deepEqual(found.authors, [{ name: "Porphyry", url: `${ORIGIN}/authors/porphyry` }]);
    for (const tool of ["get_content_by_url", "get_related_content"]) {
      assert.match(
        await own.text(tool, { url: "Porphyry" }),
        /More than one item is called "Porphyry".*\/authors\/porphyry.*\/authors\/malchus/,
      );
    }
  });
});

describe("get_content_by_url with several URLs", () => {
  it("reads each, and says in its place which it could not read", async () => {
    const text = await service.text("get_content_by_url", {
      url: ["/topics/time", "/topics/nothing-here", "Epictetus"],
    });
    const [first, second, third] = [
      text.indexOf(`url: ${ORIGIN}/topics/time\n`),
      text.indexOf(`not read: Nothing is published at ${ORIGIN}/topics/nothing-here`),
      text.indexOf(`url: ${ORIGIN}/authors/epictetus\n`),
    ];
    assert(first === 0 && second !== undefined && third !== undefined);
    assert(second > first && third > second, `${second} ${third}`);
  });

  it("takes twenty, and no offset", async () => {
    const url = Array(21).fill("/topics/time");
    assert.match(await service.text("get_content_by_url", { url }), /a list of up to 20/);
    const args = { url: ["/topics/time"], offset: 5 };
    assert.match(await service.text("get_content_by_url", args), /offset with a single URL/);
  });
});
