import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type Loose, ORIGIN, openMcpService } from "../support/mcp-service.ts";

const service = await openMcpService();
after(() => service[Symbol.asyncDispose]());

describe("resources", () => {
  it("are all published items and nothing else, also while items are added", async () => {
    const extra = (each: number) => ({
      type: "topic",
      title: `Extra ${each}`,
      status: "published",
    });
    await service.save(...Array.from({ length: 1000 }, (_, each) => extra(each)));
    await service.save({ type: "topic", title: "Draft" });
    const before = [...service.reading.index()].map(({ path }) => ORIGIN + path);
    const uris: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = (await service.modern("resources/list", { cursor })).body;
      uris.push(...result.resources.map(({ uri }: Loose) => uri));
      cursor = result.nextCursor;
      await service.save({ type: "quotation", title: `Added ${uris.length}`, status: "published" });
      await service.save({ type: "page", title: `Page ${uris.length}`, status: "published" });
    } while (cursor !== undefined);
    assert(uris.length > 1000);
    assert.equal(new Set(uris).size, uris.length);
    assert.deepEqual(
      before.filter((uri) => !uris.includes(uri)),
      [],
    );
    for (const uri of uris)
      assert.equal(service.reading.resolve(new URL(uri).pathname).kind, "item");
  });

  it("have a name, a type and a description", async () => {
    const { resources } = (await service.modern("resources/list")).body.result;
    assert.deepEqual(resources[1], {
      uri: `${ORIGIN}/about`,
      name: "/about",
      title: "About the association",
      description: "Who we are, how quotations are checked, and who answers for the archive.",
      mimeType: "text/markdown",
      annotations: { lastModified: "2026-11-20T12:00:00.000Z" },
    });
  });

  it("read as Markdown, under their own address", async () => {
    const { contents } = (await service.modern("resources/read", { uri: "/quotations/abet.md" }))
      .body.result;
    assert.equal(contents.length, 1);
    assert.equal(contents[0].uri, `${ORIGIN}/quotations/abet`);
    assert.equal(contents[0].mimeType, "text/markdown");
    assert.match(contents[0].text, /To encourage in crime/);
  });

  it("have a template for each type with its own path, and one for any path", async () => {
    const { resourceTemplates } = (await service.modern("resources/templates/list")).body.result;
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }: Loose) => uriTemplate),
      [
        "topics/{slug}",
        "authors/{slug}",
        "works/{slug}",
        "quotations/{slug}",
        "events/{slug}",
        "{+path}",
      ].map((path) => `${ORIGIN}/${path}`),
    );
  });
});

describe("prompts", () => {
  it("are two, with arguments", async () => {
    const { prompts } = (await service.modern("prompts/list")).body.result;
    const shown = prompts.map((prompt: Loose) => [
      prompt.name,
      ...prompt.arguments.map((each: Loose) => `${each.name}${each.required ? "!" : ""}`),
    ]);
    assert.deepEqual(shown, [
      ["research_topic", "topic!", "question"],
      ["find_and_cite_quotation", "quotation!", "author"],
    ]);
  });

  it("work the arguments into steps that name our tools", async () => {
    const get = async (name: string, args: object) =>
      (await service.modern("prompts/get", { name, arguments: args })).body.result.messages[0]
        .content.text;
    const research = await get("research_topic", { topic: "Time", question: "Is it ours?" });
    assert.match(
      research,
      /"Time" in what Quotations Association publishes.*Is it ours\?.*list_topics/s,
    );
    assert.doesNotMatch(await get("research_topic", { topic: "Time" }), /question to answer/);
    const find = await get("find_and_cite_quotation", { quotation: "lion", author: "Epictetus" });
    assert.match(find, /"lion", perhaps by Epictetus.*search_content.*"authors": "Epictetus"/s);
  });
});

describe("completions", () => {
  const complete = async (ref: object, name: string, value: string) =>
    (await service.modern("completion/complete", { ref, argument: { name, value } })).body.result
      .completion;

  it("offer topics and authors by name", async () => {
    const topics = { type: "ref/prompt", name: "research_topic" };
    assert.deepEqual((await complete(topics, "topic", "cou")).values, ["Courage"]);
    const authors = { type: "ref/prompt", name: "find_and_cite_quotation" };
    assert.deepEqual((await complete(authors, "author", "ambr")).values, ["Ambrose Bierce"]);
    assert.deepEqual((await complete(topics, "question", "c")).values, []);
    assert.deepEqual((await complete(topics, "toString", "c")).values, []);
  });

  it("offer addresses of any type, also of those the site declares", async () => {
    const template = (path: string) => ({ type: "ref/resource", uri: `${ORIGIN}${path}` });
    assert.deepEqual((await complete(template("/topics/{slug}"), "slug", "cou")).values, [
      "courage",
    ]);
    assert.deepEqual((await complete(template("/events/{slug}"), "slug", "reading-")).values, [
      "reading-evening",
    ]);
    assert.deepEqual((await complete(template("/{+path}"), "path", "a")).values, []);
  });

  it("offer the first hundred before anything is typed, and say when there are more", async () => {
    const { values, hasMore } = await complete(
      { type: "ref/prompt", name: "research_topic" },
      "topic",
      "",
    );
    assert.equal(values.length, 100);
    assert.equal(hasMore, true);
  });
});

describe("instructions", () => {
  it("stay below the limit of clients, however long the site's profile is", async () => {
    const { instructions } = (await service.modern("server/discover")).body.result;
    assert(instructions.length < 2048, `${instructions.length}`);
    assert.match(instructions, /^Quotations Association \(https:\/\/quotations\.example\/\)/);
    const site = service.reading.site();
    const { buildMcpInstructions: mcpInstructions } = await import("../../src/mcp/instructions.ts");
    const long = {
      ...site,
      description: "🦁".repeat(150),
      whenToUse: Array(10).fill("🦁".repeat(100)),
    };
    const counts = () => service.reading.counts();
    const reading = { ...service.reading, counts, site: () => long };
    const text = mcpInstructions({
      reading,
      types: new Map(),
      origin: ORIGIN,
      now: new Date(),
      meta: {},
    });
    assert(text.length < 2048 && text.isWellFormed(), `${text.length}`);
    assert.match(text, /Cite the URL/);
  });

  it("name only tools that find something on the site", async () => {
    const instructions = async (of: typeof service): Promise<string> =>
      (await of.modern("server/discover")).body.result.instructions;
    assert.match(
      await instructions(service),
      /list_topics, then list_quotations_by_topic\. .+list_works_by_author/,
    );
    await using pages = await openMcpService({ items: [] });
    await pages.save({ type: "page", title: "About", path: "/about", status: "published" });
    const text = await instructions(pages);
    assert.match(text, /search_content/);
    assert.doesNotMatch(text, /list_topics|list_quotations|list_works/);
  });
});
