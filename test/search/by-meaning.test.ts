import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SearchPage, SearchQuery } from "../../src/content/library.ts";
import { createLog } from "../../src/log.ts";
import { createEmbeddingClient } from "../../src/search/meaning/endpoint.ts";
import { type IndexerLogLine, VectorIndexer } from "../../src/search/meaning/indexer.ts";
import { indexingQueue } from "../../src/search/meaning/indexing-queue.ts";
import { QueryEmbedder } from "../../src/search/meaning/query-embedder.ts";
import { VectorStore } from "../../src/search/meaning/vector-store.ts";
import { ensureSchema } from "../../src/storage/reading/schema.ts";
import { QueueWorker } from "../../src/work/queue-worker.ts";
import {
  type EmbeddingsEndpoint,
  openEmbeddings,
  sendVectors,
  toyVector,
} from "../support/embeddings-endpoint.ts";
import { ORIGIN, openReading, type ReadingStore } from "../support/reading-store.ts";

const MODEL = "toy";
const ON = new AbortController().signal;

interface Library extends AsyncDisposable {
  store: ReadingStore;
  endpoint: EmbeddingsEndpoint;
  news: IndexerLogLine[];
  logged: string[];
  /** A second process, if requested. */
  newIndexer(model?: string): VectorIndexer;
  /** Lets the pause pass in which a failing endpoint is not called. */
  passPause(): void;
  /** Mimics the service, with answers given by the endpoint. */
  ask(text: string, more?: Partial<SearchQuery>): Promise<SearchPage>;
  rows(): { row: number; model: string; text_hash: string; number: number }[];
}

/** `milliseconds`: how long a search waits for the endpoint. */
async function openLibrary(milliseconds = 20_000): Promise<Library> {
  const store = openReading();
  const endpoint = await openEmbeddings();
  const news: IndexerLogLine[] = [];
  const logged: string[] = [];
  const log = createLog("debug", (line) => logged.push(line));
  const address = { url: endpoint.url, model: MODEL, key: null };
  let now = 0;
  const questions = new QueryEmbedder({
    embed: createEmbeddingClient(address),
    model: MODEL,
    log,
    milliseconds,
    now: () => now,
  });
  const open: Disposable[] = [];
  return {
    store,
    endpoint,
    news,
    logged,
    newIndexer(model = MODEL) {
      const vectors = new VectorStore(store.file, model);
      open.push(vectors);
      return new VectorIndexer({
        store: vectors,
        embed: createEmbeddingClient({ ...address, model }),
        report: (one) => news.push(one),
        now: () => new Date(),
      });
    },
    passPause() {
      now += 10_001;
    },
    async ask(text, more = {}) {
      const meaning = await questions.meaningOf(text);
      const query = { ...plain(text), ...more };
      return await store.reading.search(meaning === null ? query : { ...query, meaning });
    },
    rows: () =>
      store.db
        .prepare("SELECT row, model, text_hash, number FROM reading_vector ORDER BY row")
        .all()
        .map(({ row, model, text_hash, number }) => ({
          row: Number(row),
          model: String(model),
          text_hash: String(text_hash),
          number: Number(number),
        })),
    async [Symbol.asyncDispose]() {
      for (const vectors of open) vectors[Symbol.dispose]();
      store[Symbol.dispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

const TOPICS: readonly [path: string, title: string, body: string][] = [
  ["/topics/travel", "Travel", "A car on the long road"],
  ["/topics/harvest", "Harvest", "What the fall brings in"],
  ["/topics/hunting", "Hunting", "The hound and the fox"],
  ["/topics/courage", "Courage", "Fortitude in danger"],
  ["/topics/roads", "Roads", "The road goes on and on, a road and a road"],
];

function putTopics({ store }: Library): void {
  store.transaction(() => {
    for (const [path, title, body] of TOPICS) store.put("topic", path, { title, body });
  });
}

function pathsOf({ hits }: SearchPage): string[] {
  return hits.map(({ path }) => path);
}

describe("vectors of items", () => {
  it("are requested once, and again only when the text or the model changes", async () => {
    await using library = await openLibrary();
    putTopics(library);
    const indexer = library.newIndexer();
    assert.equal(await indexer.round(ON), 1000);
    assert.deepEqual(
      library.endpoint.texts().sort(),
      TOPICS.map(([, title, body]) => `${title}\n\n${body}`).sort(),
    );
    assert(library.endpoint.requests.every(({ model }) => model === MODEL));
    const before = library.rows();
    assert.equal(before.length, TOPICS.length);

    library.endpoint.requests.length = 0;
    const same = { title: "Courage", body: "Fortitude in danger" };
    library.store.put("topic", "/topics/courage", { ...same, summary: "Of the brave" });
    await indexer.round(ON);
    assert.deepEqual(library.endpoint.texts(), []);
    assert.deepEqual(library.rows(), before);

    library.store.put("topic", "/topics/courage", { ...same, body: "Fortitude in the storm" });
    await indexer.round(ON);
    assert.deepEqual(library.endpoint.texts(), ["Courage\n\nFortitude in the storm"]);
    const after = library.rows();
    const changed = after.filter(({ number }) => !before.some((old) => old.number === number));
    assert.equal(changed.length, 1);
    assert.equal(after.length, TOPICS.length);

    library.store.db.exec("UPDATE reading_embedder SET until = 0");
    await library.newIndexer("other").round(ON);
    assert.equal(library.endpoint.texts().length, 1 + TOPICS.length);
    assert(library.rows().every(({ model }) => model === "other"));
  });

  it("are removed in the same transaction as the item", async () => {
    await using library = await openLibrary();
    putTopics(library);
    const indexer = library.newIndexer();
    await indexer.round(ON);
    library.store.retire("/topics/travel", true);
    assert.equal(library.rows().length, TOPICS.length - 1);
    assert(!pathsOf(await library.ask("automobile")).includes("/topics/travel"));
  });

  it("are dropped when the item was removed during the request", async () => {
    await using library = await openLibrary();
    putTopics(library);
    library.endpoint.misbehave = (response, texts) => {
      library.store.retire("/topics/travel", true);
      sendVectors(response, texts.map(toyVector));
    };
    await library.newIndexer().round(ON);
    assert.equal(library.rows().length, TOPICS.length - 1);
  });

  it("survive a rebuild of the reading copy", async () => {
    await using library = await openLibrary();
    putTopics(library);
    await library.newIndexer().round(ON);
    const before = library.rows();
    const site = library.store.reading.site();
    library.store.db.exec("UPDATE reading_embedder SET until = 0");
    library.store.db.exec("UPDATE reading_made SET version = 1");
    assert.equal(ensureSchema(library.store.db, { origin: ORIGIN }), true);
    library.store.writer.saveSite(site, library.store.types);
    putTopics(library);
    library.endpoint.requests.length = 0;
    await library.newIndexer().round(ON);
    assert.deepEqual(library.endpoint.texts(), []);
    assert.deepEqual(library.rows(), before);
  });

  it("are made by one process at a time, and by another when that ends", async () => {
    await using library = await openLibrary();
    putTopics(library);
    const [one, other] = [library.newIndexer(), library.newIndexer()];
    let underWay = () => {};
    const begun = new Promise<void>((resolve) => {
      underWay = resolve;
    });
    library.endpoint.misbehave = () => underWay();
    const worker = new QueueWorker(indexingQueue(one), createLog("silent"));
    await worker.work();
    await begun;
    library.endpoint.misbehave = null;
    await other.round(ON);
    assert.equal(library.endpoint.requests.length, 1);
    await worker.stop();
    one.release();
    assert.equal(library.rows().length, 0);
    await other.round(ON);
    assert.equal(library.rows().length, TOPICS.length);
  });
});

describe("search by meaning", () => {
  it("finds items that share no word with the query, and counts them", async () => {
    await using library = await openLibrary();
    putTopics(library);
    assert.equal((await library.ask("automobile")).total, 0);
    await library.newIndexer().round(ON);
    const page = await library.ask("automobile");
    assert.equal(page.hits[0]?.path, "/topics/travel");
    assert.equal(page.hits[0]?.snippet, "A car on the long road");
    assert.equal(page.total, page.hits.length);
    const { hits, hasMore } = await library.ask("automobile", { limit: 1 });
    assert.deepEqual([hits.length, hasMore], [1, true]);
    const next = await library.ask("automobile", { limit: 1, offset: 1 });
    assert.deepEqual(pathsOf(next), pathsOf(page).slice(1, 2));
  });

  it("reranks items found by words, without duplicates", async () => {
    await using library = await openLibrary();
    const { store } = library;
    store.put("topic", "/topics/one", { title: "One", body: "Leaves upon water, and automobile" });
    store.put("topic", "/topics/two", { title: "Two", body: "Leaves upon a car, car, car" });
    const byWords = await library.ask("leaves car car");
    await library.newIndexer().round(ON);
    const page = await library.ask("leaves automobile");
    assert.deepEqual(pathsOf(byWords), ["/topics/two", "/topics/one"]);
    assert.deepEqual(pathsOf(page), ["/topics/one", "/topics/two"]);
    assert.equal(page.total, 2);
  });

  it("respects filters, exclusions and phrases", async () => {
    await using library = await openLibrary();
    putTopics(library);
    library.store.put("page", "/car", { title: "The car", body: "Automobile, automobile" });
    await library.newIndexer().round(ON);
    assert.deepEqual(pathsOf(await library.ask("automobile", { types: ["page"] })), ["/car"]);
    assert.deepEqual(pathsOf(await library.ask("automobile", { language: "de" })), []);
    assert(!pathsOf(await library.ask("automobile -road")).includes("/topics/travel"));
    const before = library.endpoint.requests.length;
    assert.deepEqual(pathsOf(await library.ask('"long road"')), ["/topics/travel"]);
    assert.equal(library.endpoint.requests.length, before);
  });

  it("calls the endpoint once for the same query", async () => {
    await using library = await openLibrary();
    putTopics(library);
    for (let times = 0; times < 3; times++) await library.ask("hunting dog");
    assert.deepEqual(library.endpoint.texts(), ["hunting dog"]);
    await library.ask('hunting -fox -"long road" dog');
    assert.equal(library.endpoint.texts().length, 1);
    await library.ask("who lost cpl_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJK");
    assert.equal(library.endpoint.texts().length, 1);
    await assert.rejects(library.ask("-road"), { code: "invalid" });
    await assert.rejects(library.ask(" "), { code: "invalid" });
    await library.ask("?!");
    assert.equal(library.endpoint.texts().length, 1);
  });

  it("reflects added, changed and removed items", async () => {
    await using library = await openLibrary();
    putTopics(library);
    const indexer = library.newIndexer();
    await indexer.round(ON);
    assert.equal(pathsOf(await library.ask("automobile"))[0], "/topics/travel");
    library.store.put("topic", "/topics/travel", { title: "Travel", body: "On foot" });
    library.store.retire("/topics/roads", true);
    library.store.put("topic", "/topics/engines", { title: "Engines", body: "In each car" });
    await indexer.round(ON);
    const paths = pathsOf(await library.ask("automobile"));
    assert.equal(paths[0], "/topics/engines");
    assert(!paths.includes("/topics/roads"));
  });

  it("keeps an item first whose title matches", async () => {
    await using library = await openLibrary();
    const { store } = library;
    store.put("topic", "/topics/car", { title: "Car", body: "Car: something else altogether" });
    store.put("topic", "/topics/motors", { title: "Automobile", body: "Car car car car" });
    await library.newIndexer().round(ON);
    assert.equal(pathsOf(await library.ask("car"))[0], "/topics/car");
  });
});

describe("a failing endpoint", () => {
  const huge = `{"data":[{"index":0,"embedding":[${"0.1,".repeat(200_000)}0.1]}]}`;
  const cases: [what: string, misbehave: NonNullable<EmbeddingsEndpoint["misbehave"]>][] = [
    ["is not there", (response) => response.destroy()],
    ["is late", () => {}],
    ["stops half-way", (response) => response.writeHead(200).write('{"data":')],
    ["answers 500", (response) => response.writeHead(500).end("secret")],
    ["leads elsewhere", (response) => response.writeHead(307, { Location: "/v1/other" }).end()],
    ["is no JSON", (response) => response.writeHead(200).end("<html>")],
    ["is of another shape", (response) => response.writeHead(200).end('{"data":{}}')],
    ["has no vector", (response) => sendVectors(response, [])],
    ["has one too many", (response) => sendVectors(response, [toyVector("a"), toyVector("b")])],
    ["has another length", (response) => sendVectors(response, [[1, 2, 3]])],
    ["has no direction", (response) => sendVectors(response, [new Array(64).fill(0)])],
    ["has no numbers", (response) => response.writeHead(200).end(textVector('"NaN"'))],
    ["is beyond numbers", (response) => response.writeHead(200).end(textVector("1e999"))],
    ["is beyond small numbers", (response) => response.writeHead(200).end(textVector("1e300"))],
    ["is endless", (response) => response.writeHead(200).end(huge)],
  ];
  for (const [what, misbehave] of cases) {
    it(`leaves search by words unchanged: it ${what}`, async () => {
      await using library = await openLibrary(300);
      putTopics(library);
      const without = await library.store.reading.search(plain("road car"));
      await library.newIndexer().round(ON);
      library.endpoint.misbehave = misbehave;
      assert.deepEqual(await library.ask("road car"), without);
    });
  }

  it("is not called for a while, logged once, and called again", async () => {
    await using library = await openLibrary();
    putTopics(library);
    library.endpoint.misbehave = (response) => response.writeHead(500).end("secret");
    for (let number = 0; number < 10; number++) await library.ask(`road ${number}`);
    assert.equal(library.endpoint.requests.length, 3);
    assert.equal(library.logged.length, 1);
    assert.match(library.logged.join(), /"fault":"it answered 500".*searches use words only/);
    library.passPause();
    await library.ask("road 10");
    assert.equal(library.endpoint.requests.length, 4);
    library.passPause();
    library.endpoint.misbehave = null;
    await library.ask("road 11");
    await library.ask("road 12");
    assert.equal(library.endpoint.requests.length, 6);
    assert.equal(library.logged.length, 2);
    assert.match(library.logged.join(), /answers again/);
  });

  it("is retried with increasing delays while items are indexed, and logged once", async () => {
    await using library = await openLibrary();
    putTopics(library);
    library.endpoint.misbehave = (response) => response.writeHead(503).end();
    const indexer = library.newIndexer();
    const waits = [];
    for (let round = 0; round < 10; round++) waits.push(await indexer.round(ON));
    assert.deepEqual(waits.slice(0, 4), [1000, 2000, 4000, 8000]);
    assert.equal(waits.at(-1), 300_000);
    assert.deepEqual(
      library.news.map(({ level, fields }) => [level, fields]),
      [["warn", { fault: "it answered 503" }]],
    );
    library.endpoint.misbehave = null;
    await indexer.round(ON);
    assert.equal(library.rows().length, TOPICS.length);
    assert.match(JSON.stringify(library.news), /answers again.*"items":5,"done":5/);
  });

  it("skips only the texts it rejects, unless it rejects all", async () => {
    await using library = await openLibrary();
    putTopics(library);
    const refuse = (isRefused: (text: string) => boolean) => {
      library.endpoint.misbehave = (response, texts) => {
        if (texts.some(isRefused)) response.writeHead(400).end();
        else sendVectors(response, texts.map(toyVector));
      };
    };
    refuse(() => true);
    const indexer = library.newIndexer();
    await indexer.round(ON);
    assert.equal(library.rows().length, 0);
    refuse((text) => text.startsWith("Hunting"));
    await indexer.round(ON);
    assert.equal(library.rows().length, TOPICS.length);
    assert.match(JSON.stringify(library.news), /refuses some texts.*"items":1/);
    library.endpoint.misbehave = null;
    library.endpoint.requests.length = 0;
    assert.equal(pathsOf(await library.ask("automobile"))[0], "/topics/travel");
    assert(!pathsOf(await library.ask("dog")).includes("/topics/hunting"));
    assert.equal(library.endpoint.requests.length, 2);
  });
});

function plain(text: string): SearchQuery {
  return { text, types: [], filters: [], links: [], limit: 10, offset: 0 };
}

/** A vector with all components equal. */
function textVector(number: string): string {
  return `{"data":[{"index":0,"embedding":[${new Array(64).fill(number).join()}]}]}`;
}
