import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SearchPage, SearchQuery } from "../../src/content/library.ts";
import { createLog } from "../../src/log.ts";
import { runForClient } from "../../src/search/current-client.ts";
import { SearchThreads, type SearchThreadsOptions } from "../../src/search/search-threads.ts";
import { openReading, type ReadingStore } from "../support/reading-store.ts";

const CRASHING = new URL("../support/crashing-search-thread.ts", import.meta.url);

interface Threads extends AsyncDisposable {
  threads: SearchThreads;
  ask(text: string): Promise<SearchPage>;
}

function openThreads(store: ReadingStore, options: Partial<SearchThreadsOptions> = {}): Threads {
  const log = createLog("silent");
  const usual = { file: store.file, log, threads: 1, searchMillisecondsMax: 60_000 };
  const threads = new SearchThreads({ ...usual, ...options });
  // Threads keep no process alive: that is what the socket of a server does.
  const alive = setInterval(() => {}, 1000);
  return {
    threads,
    ask: (text) => threads.search(query(text)),
    [Symbol.asyncDispose]: async () => {
      clearInterval(alive);
      await threads.close();
    },
  };
}

function query(text: string): SearchQuery {
  return { text, types: [], filters: [], links: [], limit: 10, offset: 0 };
}

describe("searching in threads", () => {
  it("answers as the reading copy itself does, and sees what was committed before", async () => {
    using store = openReading();
    store.put("topic", "/topics/courage", { title: "Courage", body: "Fortitude in danger" });
    await using searching = openThreads(store);
    const page = await searching.ask("courageous fortitude");
    assert.deepEqual(page, await store.reading.search(query("courageous fortitude")));
    assert.equal(page.hits[0]?.path, "/topics/courage");
    for (let number = 0; number < 20; number++) {
      store.put("topic", "/topics/news", { title: `News ${number}`, body: `edited${number}` });
      assert.equal((await searching.ask(`edited${number}`)).total, 1);
    }
  });

  it("refuses in the same words as the reading copy", async () => {
    using store = openReading();
    await using searching = openThreads(store);
    await assert.rejects(searching.ask(""), {
      code: "invalid",
      message: "The search text is empty: give words to look for",
    });
  });

  it("refuses at once when its queue is full, with a time to retry after", async () => {
    using store = openReading();
    await using searching = openThreads(store, { program: CRASHING });
    const asked = Array.from({ length: 210 }, () => searching.ask("go on"));
    const answers = await Promise.allSettled(asked);
    const refused = answers.filter(({ status }) => status === "rejected");
    assert.equal(answers.length - refused.length, 201, "one runs, 200 wait");
    await assert.rejects(asked.at(-1) ?? Promise.resolve(), {
      code: "unavailable",
      message: "More searches are under way than can be answered: repeat the search a little later",
      retryAfterSeconds: 1,
    });
    assert.equal((await searching.ask("go on")).correctedText, "go on");
  });

  it("lets those who come first wait until a thread has started", async () => {
    using store = openReading();
    const slowly = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700); await import("${CRASHING}")`;
    const program = new URL(`data:text/javascript,${encodeURIComponent(slowly)}`);
    await using searching = openThreads(store, { program });
    const pages = await Promise.all(Array.from({ length: 4 }, () => searching.ask("go on")));
    assert.deepEqual(
      pages.map(({ correctedText }) => correctedText),
      Array(4).fill("go on"),
    );
  });

  it("gives a thread that starts slowly its time, and the search its own", async () => {
    using store = openReading();
    const slowly = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3500); await import("${CRASHING}")`;
    const program = new URL(`data:text/javascript,${encodeURIComponent(slowly)}`);
    await using searching = openThreads(store, { program, searchMillisecondsMax: 100 });
    assert.equal((await searching.ask("go on")).correctedText, "go on");
    await assert.rejects(searching.ask("hang"), { message: /took longer than 0.1 seconds/ });
  });

  it("takes turns between clients, also when its queue is full", async () => {
    using store = openReading();
    await using searching = openThreads(store, { program: CRASHING });
    const finished: string[] = [];
    const askFor = async (client: string, text: string) => {
      await runForClient(
        () => client,
        () => searching.ask(text),
      );
      finished.push(client);
    };
    const greedy = Array.from({ length: 300 }, () => askFor("greedy", "go on").catch(() => {}));
    await askFor("modest", "go on");
    assert.ok(finished.length <= 3, `${finished.length} were answered before`);
    await Promise.all(greedy);
  });

  it("rests after each search, in proportion to what it took but not for long", async () => {
    using store = openReading();
    const slowly = `import { parentPort } from "node:worker_threads";
      parentPort.on("message", () => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 8);
        parentPort.postMessage({ page: {} });
      });`;
    const program = new URL(`data:text/javascript,${encodeURIComponent(slowly)}`);
    const between = async (pauseFactor: number) => {
      await using searching = openThreads(store, { program, pauseFactor });
      await searching.ask("started");
      const asked = ["one", "two"].map(async (text) => {
        await searching.ask(text);
        return performance.now();
      });
      const [first = 0, second = 0] = await Promise.all(asked);
      return second - first;
    };
    const milliseconds = await between(2);
    assert.ok(milliseconds >= 20, `${milliseconds} ms: 16 of rest and 8 of searching`);
    assert.ok((await between(1000)) < 4000);
  });

  it("replaces a crashed thread and continues with the queue", async () => {
    using store = openReading();
    await using searching = openThreads(store, { program: CRASHING });
    const [crashed, next] = [searching.ask("crash"), searching.ask("go on")];
    await assert.rejects(crashed, {
      code: "unavailable",
      message: "The search was interrupted: repeat the search a little later",
    });
    assert.equal((await next).correctedText, "go on");
  });

  it("terminates a hanging thread", async () => {
    using store = openReading();
    await using searching = openThreads(store, { program: CRASHING, searchMillisecondsMax: 100 });
    await searching.ask("begin");
    await assert.rejects(searching.ask("hang"), {
      code: "unavailable",
      message: /took longer than/,
    });
    assert.equal((await searching.ask("go on")).correctedText, "go on");
  });

  it("refuses running and later searches when it closes", async () => {
    using store = openReading();
    await using searching = openThreads(store, { program: CRASHING });
    const [running, waiting] = [searching.ask("hang"), searching.ask("go on")];
    const closed = Promise.all([
      assert.rejects(running, /stopping/),
      assert.rejects(waiting, /stopping/),
    ]);
    await searching.threads.close();
    await closed;
    await assert.rejects(searching.ask("more"), { code: "unavailable" });
  });
});
