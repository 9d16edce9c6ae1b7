import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { contentTypeSchema } from "../../src/content/types/content-type.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { type Loose, ORIGIN, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

const GOLDEN = join(import.meta.dirname, "../golden/mcp");
const EVENT_URL = `${ORIGIN}/events/reading-evening`;
const QUOTATION_URL = `${ORIGIN}/quotations/abet`;

/** One typical call of each tool, kept as a golden file. */
const CALLS: Record<string, object> = {
  describe_content_catalog: {},
  search_content: { query: "courage", limit: 2, detail: "detailed" },
  get_content_by_url: { url: QUOTATION_URL },
  list_content: { type: "event" },
  get_related_content: { url: EVENT_URL },
  list_topics: { sort: "count", limit: 2 },
  list_quotations_by_topic: { topic: "courage", limit: 2 },
  list_works_by_author: { author: "Epictetus" },
};

describe("the list of tools", () => {
  it("has every tool, in at most 1,300 tokens of a model, and is always the same", async () => {
    const first = (await service.modern("tools/list")).body;
    const again = (await service.modern("tools/list")).body;
    assert.deepEqual(first.result, again.result);
    assert.deepEqual(
      first.result.tools.map(({ name }: Loose) => name),
      Object.keys(CALLS),
    );
    const known = TOOLS.map(({ definition: { name, description, inputSchema } }) => ({
      name,
      description,
      input_schema: inputSchema,
    }));
    const tokens = countTokens(JSON.stringify(known));
    assert(tokens <= 1300, `${tokens} tokens`);
  });

  for (const { definition } of TOOLS) {
    const { name, title, description, annotations, inputSchema } = definition;
    it(`describes ${name}`, () => {
      assert.match(name, /^[a-z_]{1,30}$/);
      assert(title.length > 0);
      assert(description.length >= 100 && description.length <= 300, `${description.length}`);
      assert.deepEqual(annotations, {
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      assert.equal(inputSchema["type"], "object");
      assert.equal(definition.outputSchema === undefined, name === "get_content_by_url");
    });
  }

  for (const [name, args] of Object.entries(CALLS)) {
    it(`answers ${name} as before`, async () => {
      const { result } = (await service.modern("tools/call", { name, arguments: args })).body;
      assert.equal(result.isError, undefined);
      const { structuredContent, content } = result;
      matchesGolden(
        `${name}.${structuredContent === undefined ? "md" : "json"}`,
        structuredContent === undefined
          ? content[0].text
          : `${JSON.stringify(structuredContent, null, 2)}\n`,
      );
    });
  }
});

function matchesGolden(file: string, text: string): void {
  const path = join(GOLDEN, file);
  if (process.env["UPDATE_GOLDEN"] === "1") writeFileSync(path, text);
  assert(existsSync(path), `${path} is missing: run with UPDATE_GOLDEN=1`);
  assert.equal(text, readFileSync(path, "utf8"));
}

describe("addresses in answers", () => {
  const calls: [string, object][] = [
    ...Object.entries(CALLS),
    ["search_content", { query: "the of and life death time", limit: 25 }],
    ...["page", "topic", "author", "work", "quotation", "event"].map((type): [string, object] => [
      "list_content",
      { type, limit: 100 },
    ]),
    ["get_related_content", { url: "/topics/time", limit: 100 }],
    ["get_related_content", { url: "/authors/epictetus", limit: 100 }],
    ["search_content", { query: "xyzzy", types: ["quotation"] }],
    ["list_works_by_author", { author: "Epictets" }],
  ];
  for (const [name, args] of calls) {
    it(`all open after ${name} ${JSON.stringify(args)}`, async () => {
      const text = await service.text(name, args);
      for (const [url] of text.matchAll(/https:\/\/quotations\.example[^\s"\\)<>*]*/g)) {
        const path = decodeURI(new URL(url.replace(/[.,;:]+$/, "")).pathname).replace(/\.md$/, "");
        const isList = [...service.reading.types().values()].some(
          ({ listPath }) => listPath === path,
        );
        const isDocument = /\.(txt|json|xml)$/.test(path);
        const found = service.reading.resolve(path).kind;
        if (!isList && !isDocument) assert.equal(found, "item", url);
      }
    });
  }

  it("are absolute, canonical and encoded", async () => {
    await service.save({
      type: "topic",
      path: "/topics/café-noir",
      title: "Café noir",
      status: "published",
    });
    const { topics } = await service.call("list_topics", { query: "cafe" });
    assert.equal(topics[0].url, `${ORIGIN}/topics/caf%C3%A9-noir`);
    for (const url of [topics[0].url, "/topics/café-noir", "/topics/cafe\u0301-noir.md/?a#b"]) {
      const text = await service.text("get_content_by_url", { url });
      assert.match(text, /^url: https:\/\/quotations\.example\/topics\/caf%C3%A9-noir$/m);
      assert.match(text, /^Cite as: .* https:\/\/quotations\.example\/topics\/caf%C3%A9-noir$/m);
    }
  });
});

describe("a type with relations named like our own members", () => {
  it("shows the member as ours and keeps the others", async () => {
    const relation = { label: "Links", target: "topic", many: true };
    const talk = contentTypeSchema.parse({
      name: "talk",
      label: "Talk",
      plural: "Talks",
      description: "A talk.",
      listPath: "/talks",
      relations: { url: relation, title: relation, themes: relation },
    });
    await using own = await openMcpService({ types: [talk] });
    const links = ["/topics/time"];
    const relations = { url: links, title: links, themes: links };
    await own.save({ type: "talk", title: "On haste", relations, status: "published" });
    const { items } = await own.call("list_content", { type: "talk" });
    assert.equal(items[0].url, `${ORIGIN}/talks/on-haste`);
    assert.equal(items[0].title, "On haste");
    assert.deepEqual(items[0].themes, ["Time"]);
  });
});

describe("describe_content_catalog", () => {
  it("shows a type the site declares like the built-in ones", async () => {
    const { types, limits, query_language } = await service.call("describe_content_catalog");
    assert.deepEqual(
      types.map(({ type }: Loose) => type),
      ["page", "topic", "author", "work", "quotation", "event"],
    );
    const event = types.at(-1);
    assert.equal(event.count, 2);
    assert.equal(event.list_url, `${ORIGIN}/events`);
    assert.equal(event.example_url, EVENT_URL);
    assert.deepEqual(
      event.filters.map(({ name }: Loose) => name),
      ["starts", "place", "online", "seats", "topics"],
    );
    assert.deepEqual(event.sorts, ["title", "updated", "added", "starts", "seats"]);
    assert.deepEqual(event.relations, [{ name: "topics", type: "topic" }]);
    assert.equal(limits.search_limit_max, 25);
    assert.match(query_language, /quoted/);
  });

  it("can be asked about one type, and names the types when there is none such", async () => {
    const { types } = await service.call("describe_content_catalog", { type: "work" });
    assert.deepEqual(
      types.map(({ type }: Loose) => type),
      ["work"],
    );
    assert.match(
      await service.text("describe_content_catalog", { type: "poem" }),
      /no content type "poem"; use one of page, topic, author, work, quotation, event/,
    );
  });
});

describe("search_content", () => {
  it("finds, narrows and pages", async () => {
    const all = await service.call("search_content", {
      query: "time death",
      types: ["quotation"],
      limit: 25,
    });
    assert(all.total > 5);
    const urls = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page: Loose = await service.call("search_content", {
        query: "time death",
        types: ["quotation"],
        limit: 4,
        cursor,
      });
      urls.push(...page.hits.map(({ url }: Loose) => url));
      cursor = page.next_cursor;
    }
    assert.deepEqual(
      urls.slice(0, 25),
      all.hits.map(({ url }: Loose) => url),
    );
    assert.equal(new Set(urls).size, all.total);
    const narrowed = await service.call("search_content", {
      query: "time death",
      types: ["quotation"],
      filters: { authors: "Epictetus" },
    });
    assert(narrowed.total > 0 && narrowed.total < all.total);
    for (const { authors } of narrowed.hits) assert.deepEqual(authors, ["Epictetus"]);
  });

  it("corrects a misspelled word and says so", async () => {
    const page = await service.call("search_content", { query: "couragge" });
    assert.equal(page.did_you_mean, "courage");
    assert(page.hits.length > 0);
  });

  it("names at most twelve links of a relation, and says how many there are", async () => {
    await using own = await openMcpService();
    const topics = Array.from({ length: 25 }, (_, each) => `/topics/aspect-${each}`);
    await own.save(
      ...topics.map((path) => ({ type: "topic", path, title: path.slice(8), status: "published" })),
      { type: "quotation", title: "Manifold", relations: { topics }, status: "published" },
    );
    const [hit] = (await own.call("search_content", { query: "manifold" })).hits;
    assert.equal(hit.topics.length, 12);
    assert.match(hit.topics_cut, /^12 of 25; get_related_content with relation topics lists all$/);
  });

  it("shows more when asked for detail, and never marks", async () => {
    const concise = await service.call("search_content", { query: "courage lion" });
    const detailed = await service.call("search_content", {
      query: "courage lion",
      detail: "detailed",
    });
    const texts = ({ hits }: Loose) => hits.filter(({ text }: Loose) => text !== undefined).length;
    assert(texts(detailed) > texts(concise));
    assert.doesNotMatch(JSON.stringify([concise, detailed]), /\\u000[23]/);
  });

  const MISTAKES: [object, RegExp][] = [
    [
      {},
      /query: .*Its arguments are query \(required\), types, filters, language, limit, count_by, cursor, detail, cite, verbatim$/,
    ],
    [{ query: "" }, /search text is empty/],
    [{ query: '"a" '.repeat(33) }, /33 phrases in quotation marks and may have 32/],
    [{ query: "a", limit: "many" }, /limit: .*expected number/],
    [
      { query: "a", types: ["work"], maximum: 1 },
      /"maximum": there is no such filter here; use one of kind,/,
    ],
    [{ query: "a", page: 2 }, /"page": for the next page, give the next_cursor .* as cursor/],
    [{ query: "a", offset: 10 }, /"offset": for the next page, give the next_cursor/],
    [{ query: "a", types: ["poem"] }, /no content type "poem"; use one of/],
    [{ query: "a", types: ["work"], filters: { yaer: 5 } }, /"yaer".*use one of kind, year/],
    [
      { query: "a", filters: { language: "en", topics: "Time" } },
      /"language": it is an argument of its own: give it next to filters/,
    ],
    [{ query: "a", filters: { LIMIT: 3 } }, /"limit": it is an argument of its own/],
    [{ query: "a", types: ["work"], filters: { kind: "tweet" } }, /use one of book, essay/],
    [
      { query: "a", types: ["quotation"], filters: { authors: "Nobody" } },
      /No author is called "Nobody"/,
    ],
    [{ query: "a", cursor: "rubbish" }, /cursor.*repeat the call without it/],
    [{ query: "a", language: "no language" }, /language/],
    [{ query: "a", detail: "verbose" }, /detail/],
  ];
  for (const [args, message] of MISTAKES) {
    it(`explains ${JSON.stringify(args).slice(0, 80)}`, async () => {
      await failsWith("search_content", args, message);
    });
  }

  it("refuses the cursor of another query", async () => {
    const { next_cursor } = await service.call("search_content", { query: "time", limit: 1 });
    await failsWith("search_content", { query: "death", cursor: next_cursor }, /another query/);
  });

  it("takes null for what was left out", async () => {
    const page = await service.call("search_content", { query: "time", types: null, cursor: null });
    assert(page.total > 0);
  });
});

describe("get_content_by_url", () => {
  it("gives metadata, a citation and the text", async () => {
    const text = await service.text("get_content_by_url", { url: QUOTATION_URL });
    assert.match(text, /^url: https:\/\/quotations\.example\/quotations\/abet\ntype: quotation\n/);
    assert.match(
      text,
      /\n\n```\nCite as: Bierce, A\. \(n\.d\.\)\. \*The Devil’s Dictionary\* \(Abet\)\. .*https:\/\/quotations\.example\/quotations\/abet\n\n/,
    );
    assert.match(text, /To encourage in crime, as to aid poverty with pennies\./);
  });

  it("reads lists and their further pages like items", async () => {
    const topics = await service.text("get_content_by_url", { url: "/topics" });
    assert.match(
      topics,
      /^url: https:\/\/quotations\.example\/topics\ntype: list\n.*\n- Courage \(/s,
    );
    const home = await service.text("get_content_by_url", { url: ORIGIN });
    assert.match(home, /\n- Time \(/);
    await using long = await openMcpService();
    for (let each = 0; each < 60; each += 1) {
      await long.save({ type: "event", title: `Meeting ${each}`, status: "published" });
    }
    const second = await long.text("get_content_by_url", { url: `${ORIGIN}/events.md?page=2` });
    assert.match(second, /^url: https:\/\/quotations\.example\/events\?page=2\n.*Meeting 0 /s);
    await failsWith("get_content_by_url", { url: "/events?page=3" }, /fewer pages/);
  });

  it("follows a redirect and reports it", async () => {
    const item = { type: "topic", title: "Haste", status: "published", sourceKey: "topic:haste" };
    await service.save({ ...item, path: "/topics/hurry" });
    await service.save({ ...item, path: "/topics/haste" });
    const text = await service.text("get_content_by_url", { url: "/topics/hurry" });
    assert.match(
      text,
      /^url: https:\/\/quotations\.example\/topics\/haste\nmoved_from: https:\/\/quotations\.example\/topics\/hurry\n/,
    );
  });

  it("gives long texts in slices that add up, by the very calls it names", async () => {
    const body = Array.from({ length: 900 }, (_, line) => `Line ${line} 🦁𝔄 of a long text.`).join(
      "\n\n",
    );
    await service.save({
      type: "work",
      path: "/works/long",
      title: "Long",
      body,
      status: "published",
    });
    const whole: string[] = [];
    for (const max_chars of [undefined, 997, 1001, 40_000]) {
      let args: object = { url: "/works/long", max_chars };
      let joined = "";
      for (let calls = 0; calls < 100; calls += 1) {
        const text = await service.text("get_content_by_url", args);
        assert(text.isWellFormed());
        const [slice, next] = sliceOf(text);
        assert(slice.length <= (max_chars ?? 12_000));
        assert(countTokens(text) <= 10_000);
        joined += slice;
        if (next === undefined) break;
        args = JSON.parse(next);
      }
      whole.push(joined);
      assert.equal(joined, whole[0]);
      assert.match(joined, /Line 0 .*Line 899 🦁𝔄 of a long text\./s);
    }
  });

  const MISTAKES: [object, RegExp][] = [
    [
      { url: "/topics/tme" },
      /Nothing is published at https:\/\/quotations\.example\/topics\/tme\. Perhaps: Time \(https:\/\/quotations\.example\/topics\/time\).*search_content/,
    ],
    [
      { url: "https://other.example/topics/time" },
      /not on this site: its addresses begin with https:\/\/quotations\.example\//,
    ],
    [{ url: "" }, /address/],
    [{ url: "/about", offset: 99_999 }, /has \d+ characters: give an offset below that/],
    [{ url: "/\ud800" }, /Cannot read/],
    [{ url: "/%zz" }, /Cannot read/],
    [{ url: 5 }, /url: give a URL, a path or a name, or a list of up to 20 of them/],
  ];
  for (const [args, message] of MISTAKES) {
    it(`explains ${JSON.stringify(args)}`, async () => {
      await failsWith("get_content_by_url", args, message);
    });
  }

  it("does not distinguish a draft from a missing page", async () => {
    await service.save({ type: "topic", path: "/topics/secret-plan", title: "Secret plan" });
    const draft = await service.text("get_content_by_url", { url: "/topics/secret-plan" });
    const absent = await service.text("get_content_by_url", { url: "/topics/secret-plot" });
    assert.equal(draft.replaceAll("plan", "plot"), absent);
  });
});

/** The text between citation and continuation, and the arguments the continuation names. */
function sliceOf(text: string): [string, string | undefined] {
  const [, fence = "", inside = "", after = ""] =
    /\n\n(`{3,})\n(.*)\n\1(?:\n\n(.*))?$/s.exec(text) ?? [];
  assert.notEqual(fence, "");
  const slice = inside.replace(/^Cite as: [^\n]*\n\n/, "");
  const next = /^\d+ characters follow\. To continue, call get_content_by_url with (.*)$/.exec(
    after,
  );
  return [slice, next?.[1]];
}

describe("list_content", () => {
  it("lists, filters and sorts a type the site declares", async () => {
    const titles = async (args: object) =>
      (await service.call("list_content", { type: "event", ...args })).items.map(
        ({ title }: Loose) => title,
      );
    assert.deepEqual(await titles({}), ["Reading evening", "Proofreading day"]);
    assert.deepEqual(await titles({ sort: "-starts" }), ["Proofreading day", "Reading evening"]);
    assert.deepEqual(await titles({ filters: { online: true } }), ["Proofreading day"]);
    assert.deepEqual(await titles({ filters: { starts: { from: "2027-04" } } }), [
      "Proofreading day",
    ]);
    assert.deepEqual(await titles({ filters: { topics: "Courage" } }), ["Reading evening"]);
    assert.deepEqual(await titles({ language: "de" }), []);
    assert.deepEqual(await titles({ updated_since: "2999-01-01" }), []);
  });

  const MISTAKES: [object, RegExp][] = [
    [{}, /type: .*Its arguments are type \(required\), filters/],
    [{ type: "poem" }, /use one of page, topic/],
    [{ type: "event", sort: "cost" }, /use one of title, updated, added, starts, seats/],
    [{ type: "event", filters: { cost: 5 } }, /use one of starts, place, online, seats, topics/],
    [{ type: "event", filters: { online: "maybe" } }, /true or false/],
    [{ type: "event", filters: { starts: "soon" } }, /YYYY-MM-DD/],
    [{ type: "event", filters: [1] }, /filters/],
    [{ type: "event", updated_since: "yesterday" }, /updated_since: give a date/],
    [{ type: "event", cursor: "x" }, /repeat the call without it/],
  ];
  for (const [args, message] of MISTAKES) {
    it(`explains ${JSON.stringify(args)}`, async () => {
      await failsWith("list_content", args, message);
    });
  }

  it("walks a whole list without loss or repetition while items are added", async () => {
    for (const sort of ["title", "-title", "added", "updated", "-updated", "sort_name"]) {
      const before = await urlsOf("author", { sort, limit: 100 });
      const seen: string[] = [];
      let cursor: string | undefined;
      let added = 0;
      do {
        const page: Loose = await service.call("list_content", {
          type: "author",
          sort,
          limit: 1,
          cursor,
        });
        seen.push(...page.items.map(({ url }: Loose) => url));
        cursor = page.next_cursor;
        added += 1;
        const title = `${"AMZ"[added % 3]} ${sort} ${added}`;
        if (added < 6) await service.save({ type: "author", title, status: "published" });
      } while (cursor !== undefined);
      assert.equal(new Set(seen).size, seen.length, sort);
      assert.deepEqual(
        before.filter((url) => !seen.includes(url)),
        [],
        sort,
      );
      assert.deepEqual(
        seen.filter((url) => before.includes(url)),
        before,
        sort,
      );
    }
  });
});

async function urlsOf(type: string, args: object): Promise<string[]> {
  return (await service.call("list_content", { type, ...args })).items.map(({ url }: Loose) => url);
}

describe("get_related_content", () => {
  it("groups what an item states and what others state of it", async () => {
    const { groups } = await service.call("get_related_content", { url: "/topics/time" });
    const names = groups.map(({ relation }: Loose) => relation);
    assert.deepEqual(names, ["see_also", "quotations"]);
    const only = await service.call("get_related_content", {
      url: "/topics/time",
      types: ["topic"],
    });
    assert.deepEqual(
      only.groups.map(({ relation }: Loose) => relation),
      ["see_also"],
    );
  });

  it("continues one group by its cursor", async () => {
    const whole = await service.call("get_related_content", {
      url: "/topics/time",
      relation: "quotations",
      limit: 100,
    });
    const urls: string[] = [];
    let cursor: string | undefined;
    do {
      const args = { url: "/topics/time", relation: "quotations", limit: 3, cursor };
      const { groups }: Loose = await service.call("get_related_content", args);
      urls.push(...groups[0].items.map(({ url }: Loose) => url));
      cursor = groups[0].next_cursor;
    } while (cursor !== undefined);
    assert.deepEqual(
      urls,
      whole.groups[0].items.map(({ url }: Loose) => url),
    );
    assert.equal(urls.length, whole.groups[0].total);
  });

  it("explains mistakes", async () => {
    await failsWith(
      "get_related_content",
      { url: "/topics/time", relation: "friends" },
      /no relation "friends"; use one of/,
    );
    await failsWith("get_related_content", { url: "/topics/tme" }, /Perhaps: Time/);
    await failsWith(
      "get_related_content",
      { url: "/topics/time", types: ["poem"] },
      /use one of page/,
    );
    await failsWith("get_related_content", { url: "/topics/time", cursor: "x" }, /without it/);
  });
});

describe("list_topics", () => {
  it("sorts by name or by count, and looks up names", async () => {
    const titles = async (args: object) =>
      (await service.call("list_topics", args)).topics.map(({ title }: Loose) => title);
    const byName = await titles({});
    assert.deepEqual(byName, [...byName].sort());
    const { topics } = await service.call("list_topics", { sort: "count" });
    const counts = topics.map((topic: Loose) => topic.counts?.quotations ?? 0);
    assert.deepEqual(
      counts,
      [...counts].sort((a, b) => b - a),
    );
    assert.equal((await titles({ query: "cour" }))[0], "Courage");
    assert.equal((await titles({ query: "frendship" }))[0], "Friendship");
    assert.deepEqual(await titles({ query: "zzzzqqq" }), []);
  });

  it("lists those below a topic", async () => {
    await service.save({
      type: "topic",
      title: "Bravery",
      relations: { broader: ["/topics/courage"] },
      status: "published",
    });
    const { topics, total } = await service.call("list_topics", { broader: "Courage" });
    assert.deepEqual([topics[0].title, topics[0].broader[0], total], ["Bravery", "Courage", 1]);
    const queried = await service.call("list_topics", { broader: "Courage", query: "t" });
    assert.deepEqual(queried.topics, []);
    for (const title of ["Brave hearts", "Brave words"]) {
      const path = `/topics/${title.toLowerCase().replace(" ", "-")}`;
      await service.save({ type: "topic", path, title, status: "published" });
    }
    const best = await service.call("list_topics", { broader: "Courage", query: "brav", limit: 1 });
    assert.deepEqual([best.topics.map((each: Loose) => each.title), best.total], [["Bravery"], 1]);
  });
});

describe("list_quotations_by_topic", () => {
  it("takes an address or a name, and gives text, author, work and place", async () => {
    const byName = await service.call("list_quotations_by_topic", { topic: "TIME" });
    const byUrl = await service.call("list_quotations_by_topic", {
      topic: `${ORIGIN}/topics/time.md`,
    });
    assert.deepEqual(byName, byUrl);
    const first = byName.quotations.find((row: Loose) => "title" in row);
    for (const member of ["url", "text", "authors", "work", "locator", "verification"]) {
      assert(member in first, member);
    }
  });

  it("leaves running text in another language to the item itself", async () => {
    await using own = await openMcpService();
    const fields = { original_text: "Omnia aliena sunt", translator: "Gummere" };
    const relations = { topics: ["/topics/time"] };
    await own.save({ type: "quotation", title: "Ours", fields, relations, status: "published" });
    const { quotations } = await own.call("list_quotations_by_topic", {
      topic: "time",
      limit: 100,
    });
    const ours = quotations.find(({ title }: Loose) => title === "Ours");
    assert.equal(ours.translator, "Gummere");
    assert.equal("original_text" in ours, false);
    assert.match(await own.text("get_content_by_url", { url: ours.url }), /Omnia aliena sunt/);
  });

  it("warns where a text breaks off", async () => {
    await using own = await openMcpService();
    const quote = (title: string, length: number) => ({
      type: "quotation",
      title,
      body: "Time flies. ".repeat(200).slice(0, length),
      relations: { topics: ["/topics/love"] },
      status: "published",
    });
    await own.save(quote("Short", 900), quote("Long", 1200));
    const { quotations } = await own.call("list_quotations_by_topic", {
      topic: "love",
      limit: 100,
    });
    const cut = (title: string) => quotations.find((row: Loose) => row.title === title).text_is_cut;
    assert.equal(cut("Short"), undefined);
    assert.match(cut("Long"), /first 1000 characters; get_content_by_url reads all/);
  });

  it("narrows by author and verification", async () => {
    const args = { topic: "time", author: "Epictetus", verification: "verified" };
    const { quotations, total } = await service.call("list_quotations_by_topic", args);
    assert.equal(quotations.length, total);
    for (const quotation of quotations) assert.deepEqual(quotation.authors, ["Epictetus"]);
    const none = await service.call("list_quotations_by_topic", {
      topic: "time",
      verification: "disputed",
    });
    assert.equal(none.total, 0);
  });

  it("follows narrower topics, also in a circle, each quotation once", async () => {
    const topic = (title: string, broader: string[]) =>
      service.save({
        type: "topic",
        title,
        relations: { broader },
        status: "published",
        sourceKey: `test:${title}`,
      });
    const quote = (title: string, topics: string[]) =>
      service.save({
        type: "quotation",
        title,
        body: title,
        relations: { topics },
        status: "published",
      });
    await topic("Virtue", []);
    await topic("Patience", ["/topics/virtue"]);
    await topic("Waiting", ["/topics/patience"]);
    await topic("Virtue", ["/topics/waiting"]);
    await quote("Of virtue", ["/topics/virtue", "/topics/patience"]);
    await quote("Of waiting", ["/topics/waiting"]);
    const only = await service.call("list_quotations_by_topic", { topic: "virtue" });
    assert.equal(only.total, 1);
    const first = await service.call("list_quotations_by_topic", {
      topic: "virtue",
      include_narrower: true,
      limit: 1,
    });
    const { next_cursor: cursor } = first;
    const second = await service.call("list_quotations_by_topic", {
      topic: "virtue",
      include_narrower: true,
      limit: 1,
      cursor,
    });
    assert.deepEqual([first.total, second.total, second.next_cursor], [2, 2, undefined]);
    assert.notEqual(first.quotations[0].url, second.quotations[0].url);
  });

  it("answers a name that several answer to with the candidates", async () => {
    for (const slug of ["rest-a", "rest-b"]) {
      await service.save({ type: "topic", slug, title: "Rest", status: "published" });
    }
    await failsWith(
      "list_quotations_by_topic",
      { topic: "rest" },
      /More than one topic answers to "rest".*\/topics\/rest-a.*\/topics\/rest-b/,
    );
  });

  it("explains mistakes", async () => {
    await failsWith(
      "list_quotations_by_topic",
      { topic: "tyme" },
      /No topic is called "tyme"\. Perhaps: Time \(https.*search_content/,
    );
    await failsWith(
      "list_quotations_by_topic",
      { topic: "/authors/epictetus" },
      /not of the type Topic but Author/,
    );
    await failsWith(
      "list_quotations_by_topic",
      { topic: "time", verification: "true" },
      /verification: .*verified/,
    );
    await failsWith("list_quotations_by_topic", {}, /topic: /);
  });
});

describe("list_works_by_author", () => {
  it("takes an address or a name, narrows and sorts", async () => {
    const save = (title: string, year: number, kind: string) =>
      service.save({
        type: "work",
        title,
        fields: { year, kind },
        relations: { authors: ["/authors/epictetus"] },
        status: "published",
      });
    await save("Zeno’s life", 90, "essay");
    await save("A letter", 110, "letter");
    const titles = async (args: object) =>
      (await service.call("list_works_by_author", { author: "epictetus", ...args })).works.map(
        ({ title }: Loose) => title,
      );
    assert.deepEqual(await titles({}), ["A letter", "Discourses", "Short Works", "Zeno’s life"]);
    assert.deepEqual((await titles({ sort: "year" })).slice(0, 2), ["Zeno’s life", "A letter"]);
    assert.deepEqual(await titles({ kind: "letter" }), ["A letter"]);
    assert.deepEqual(await titles({ author: `${ORIGIN}/authors/epictetus`, limit: 1 }), [
      "A letter",
    ]);
  });

  it("explains mistakes", async () => {
    await failsWith(
      "list_works_by_author",
      { author: "Epictets" },
      /No author is called "Epictets"\. Perhaps: Epictetus/,
    );
    await failsWith("list_works_by_author", { author: "Epictetus", kind: "tweet" }, /kind: .*book/);
    await failsWith("list_works_by_author", { author: "Epictetus", sort: "price" }, /sort/);
  });
});

async function failsWith(name: string, args: object, message: RegExp): Promise<void> {
  const { status, body } = await service.modern("tools/call", { name, arguments: args });
  assert.equal(status, 200);
  assert.equal(body.result.isError, true, JSON.stringify(body.result).slice(0, 300));
  assert.match(body.result.content[0].text, message);
  assert.equal(body.result.structuredContent, undefined);
}
