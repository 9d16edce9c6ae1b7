import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readConfig } from "../../src/config.ts";
import { type ApiClient, openApiClient } from "../support/api-client.ts";
import { type CommandLine, openSiteLine } from "../support/command-line.ts";
import { openEmbeddings, sendVectors, toyVector } from "../support/embeddings-endpoint.ts";
import { type Served, serve, stop } from "../support/served.ts";
import { sqliteRows } from "../support/sqlite-rows.ts";
import { until } from "../support/until.ts";

const KEY = "sk-correct-horse-battery-staple-7f3a";
const MODEL = "toy";

describe("the settings of the embeddings endpoint", () => {
  it("are read, with what belongs to them", () => {
    const environment = { EMBED_URL: "http://127.0.0.1:11434/v1/", EMBED_MODEL: MODEL };
    const embed = { url: "http://127.0.0.1:11434/v1", model: MODEL, key: null };
    assert.equal(readConfig({}).embed, null);
    assert.deepEqual(readConfig(environment).embed, embed);
    assert.deepEqual(readConfig({ ...environment, EMBED_KEY: KEY }).embed, { ...embed, key: KEY });
  });

  const url = "http://127.0.0.1:1/v1";
  const cases: [environment: Record<string, string>, fault: string][] = [
    [{ EMBED_URL: url }, "EMBED_MODEL: name the model to ask for at EMBED_URL"],
    [{ EMBED_MODEL: MODEL }, "EMBED_URL: say where EMBED_MODEL is, as http://127.0.0.1:11434/v1"],
    [{ EMBED_KEY: KEY }, "EMBED_URL: say where EMBED_MODEL is, as http://127.0.0.1:11434/v1"],
    [
      { EMBED_URL: url, EMBED_MODEL: MODEL, EMBED_KEY: `${KEY}\n` },
      "EMBED_KEY: use ASCII letters, digits and punctuation, without spaces",
    ],
    ...["localhost:11434", "ftp://a.example", `http://u:${KEY}@a.example`, `${url}?key=${KEY}`].map(
      (wrong): [Record<string, string>, string] => [
        { EMBED_URL: wrong, EMBED_MODEL: MODEL },
        "EMBED_URL: use an http(s) address without name, password or query, as http://127.0.0.1:11434/v1; put the key in EMBED_KEY",
      ],
    ),
  ];
  for (const [environment, fault] of cases) {
    it(`are refused: ${JSON.stringify(environment)}`, () => {
      assert.throws(() => readConfig(environment), {
        message: `Cannot start with these settings: ${fault}`,
      });
    });
  }
});

describe("search by meaning", () => {
  it("is off unless it is set up", async () => {
    await using api = await openApiClient();
    assert.equal((await api.request("GET", "/stats")).body.meaning, null);
  });

  it("is built in the background, and reports its progress", async () => {
    await using endpoint = await openEmbeddings();
    const embed = { url: endpoint.url, model: MODEL, key: KEY };
    await using api = await openApiClient({ config: { embed } });
    assert.equal((await progress(api)).done, 0);
    await indexed(api);
    const { items, ...rest } = await progress(api);
    assert.deepEqual(rest, { model: MODEL, done: items });
    assert(items > 0);
    const travel = {
      type: "topic",
      title: "Travel",
      body: "A car on the way",
      status: "published",
    };
    const { status } = await api.request("POST", "/content", { body: travel });
    assert.equal(status, 201);
    const found = async () => await (await api.app.get("/search?q=automobile")).text();
    await until(async () => (await progress(api)).done === items + 1);
    // A search does not wait for an endpoint that is late, as on a busy machine it may be.
    await until(async () => (await found()).includes('href="/topics/travel"'));
    assert(endpoint.texts().includes("automobile"));
    assert(endpoint.requests.every(({ authorization }) => authorization === `Bearer ${KEY}`));
    endpoint.misbehave = (response) => response.writeHead(401).end(`Incorrect API key: ${KEY}`);
    for (let number = 0; number < 5; number++) await api.app.get(`/search?q=time+${number}`);
    const told = [
      ...api.app.logged,
      await (await api.app.get("/readyz")).text(),
      (await api.request("GET", "/stats")).text,
    ];
    assert.match(told.join("\n"), /Items have their vectors/);
    assert.match(told.join("\n"), /it answered 401/);
    assert(!told.join("\n").includes(KEY));
  });

  it("resumes where a killed process stopped", async () => {
    await using endpoint = await openEmbeddings();
    using shell = await openSiteLine({ DEMO: "0", LOG_LEVEL: "info" });
    const lines = Array.from({ length: 200 }, (_, number) =>
      JSON.stringify({ type: "topic", title: `Topic ${number}`, body: `About ${number}` }),
    );
    const file = shell.file("topics.jsonl", lines.join("\n"));
    assert.equal((await shell.run("import", file, "--publish")).code, 0);
    const more = { EMBED_URL: endpoint.url, EMBED_MODEL: MODEL, EMBED_KEY: KEY };
    endpoint.misbehave = (response, texts) => {
      if (endpoint.requests.length <= 3) sendVectors(response, texts.map(toyVector));
    };
    await using first = await serve(shell, { more });
    await until(() => endpoint.requests.length === 4);
    await stop(first, "SIGKILL");
    const [lost] = endpoint.requests.slice(3);
    endpoint.misbehave = null;
    passClaim(shell);
    await using second = await serve(shell, { more });
    await until(() => second.output().includes("Items have their vectors"));
    const texts = endpoint.texts();
    const twice = texts.filter((text, place) => texts.indexOf(text) !== place);
    assert.deepEqual(twice, lost?.texts);
    assert.equal(await stop(second, "SIGTERM"), 0);
    assert(!outputs(first, second).includes(KEY));
  });

  it("delays neither start nor stop while the endpoint hangs", async () => {
    await using endpoint = await openEmbeddings();
    endpoint.misbehave = () => {};
    using shell = await openSiteLine({ DEMO: "0" });
    const more = { EMBED_URL: endpoint.url, EMBED_MODEL: MODEL };
    await using served = await serve(shell, { more });
    await until(() => endpoint.requests.length > 0);
    assert.equal((await fetch(served.origin)).status, 200);
    assert.equal(await stop(served, "SIGTERM"), 0, "without an answer that never comes");
  });
});

/** As if the time were over for which a process that fills the table has it to itself. */
function passClaim({ environment }: CommandLine): void {
  const file = join(environment["DATA_DIR"] ?? "", "commonplace.db");
  sqliteRows(file, "UPDATE reading_embedder SET until = until - 10000");
}

async function progress(api: ApiClient): Promise<{ items: number; done: number; model: string }> {
  return (await api.request("GET", "/stats")).body.meaning;
}

async function indexed(api: ApiClient): Promise<void> {
  await until(() => api.app.logged.some((line) => line.includes("Items have their vectors")));
}

function outputs(...served: Served[]): string {
  return served.map((one) => one.output()).join("\n");
}
