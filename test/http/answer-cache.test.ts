import assert from "node:assert/strict";
import { get, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { after, describe, it, mock } from "node:test";
import { publishItem, unpublishItem } from "../../src/content/editing/publishing.ts";
import type { ReadingCopy } from "../../src/content/library.ts";
import { withOverriddenMethods } from "../../src/content/reading-overrides.ts";
import { createHttpHandler } from "../../src/http/front.ts";
import { ResponseCache } from "../../src/http/response-cache.ts";
import { requestFromSocket } from "../../src/http/socket/socket-request.ts";
import { openRecord } from "../../src/storage/record/open.ts";
import { idleParts } from "../support/http-parts.ts";
import { ended, listening } from "../support/listening.ts";
import { NOW, ORIGIN, openFixture } from "../support/open-fixture.ts";
import { openReading } from "../support/reading-store.ts";
import { sendTo } from "../support/send-to.ts";

const OPERATOR = { kind: "operator" } as const;
const PATH = "/topics/time";
const site = await openFixture();
const origin = `http://127.0.0.1:${await listening(site.server)}`;

after(async () => {
  await ended(site.server);
  await site.close();
});

interface Answer {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Bytes as they came, in hexadecimal digits. */
async function read(path: string, headers: Record<string, string>): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    get(`${origin}${path}`, { headers }, (message) => {
      const pieces: Buffer[] = [];
      message.on("data", (piece) => pieces.push(piece));
      message.on("end", () => {
        const body = Buffer.concat(pieces).toString("hex");
        resolve({ status: message.statusCode, headers: message.headers, body });
      });
    }).on("error", reject);
  });
}

/** Only what went through the app has an id, since only that is in the log. */
function isRepeated({ headers }: Answer): boolean {
  return headers["x-request-id"] === undefined;
}

function compared({ status, headers, body }: Answer) {
  const { date: _, "x-request-id": __, ...others } = headers;
  return { status, headers: others, body };
}

describe("the answer cache", () => {
  for (const accept of ["text/html", "text/markdown", "*/*"]) {
    for (const coding of ["br", "gzip", "zstd", "identity", "gzip;q=0.5, br;q=0.1"]) {
      it(`gives ${accept} in ${coding} as the app did`, async () => {
        const headers = { accept, "accept-encoding": coding };
        const first = await read(PATH, headers);
        const second = await read(PATH, headers);
        assert.equal(first.status, 200);
        assert.ok(!isRepeated(first) && isRepeated(second));
        assert.deepEqual(compared(second), compared(first));
      });
    }
  }

  it("answers 304 to a client with that form, as the app does", async () => {
    const headers = { accept: "text/html", "accept-encoding": "gzip" };
    const { etag = "" } = (await read("/topics", headers)).headers;
    const repeated = await read("/topics", { ...headers, "if-none-match": `"other", W/${etag}` });
    assert.ok(isRepeated(repeated));
    const answered = await read("/topics?ignored=1", { ...headers, "if-none-match": etag });
    assert.ok(!isRepeated(answered));
    assert.equal(repeated.status, 304);
    assert.deepEqual(compared(repeated), compared(answered));
    const other = await read("/topics", { ...headers, "if-none-match": '"other"' });
    assert.equal(other.status, 200);
  });

  it("caches documents, but no private or volatile answer", async () => {
    const repeats = async (path: string) => {
      await read(path, {});
      return isRepeated(await read(path, {}));
    };
    assert.equal(await repeats("/llms.txt"), true);
    for (const path of ["/search?q=time", "/nowhere", "/topics/time/", "/healthz", "/readyz"]) {
      assert.equal(await repeats(path), false, path);
    }
  });

  it("drops everything when something is published, by this process or another", async () => {
    const headers = { accept: "text/markdown" };
    const open = await site.record.content.itemAt(PATH);
    assert(open !== null);
    const beside = await openRecord({ file: `${site.dataDir}/commonplace.db`, origin: ORIGIN });
    for (const { content } of [site.record, beside]) {
      await read(PATH, headers);
      assert.ok(isRepeated(await read(PATH, headers)));
      await unpublishItem(content, OPERATOR, open.id, { now: NOW });
      assert.equal((await read(PATH, headers)).status, 404);
      await publishItem(content, OPERATOR, open.id, { now: NOW });
      assert.equal((await read(PATH, headers)).status, 200);
    }
    await beside.close();
  });

  it("forgets requests after ten minutes, since some documents change with the calendar alone", async () => {
    mock.timers.enable({ apis: ["setTimeout"] });
    const cache = new ResponseCache({ version: () => 1, headers: {} });
    const incoming = new IncomingMessage(new Socket());
    Object.assign(incoming, { method: "GET", url: "/llms.txt" });
    const request = requestFromSocket(incoming, { trustProxy: false, countBytes: () => {} });
    assert(request !== null);
    const asked = { address: "/llms.txt", query: { parameter: () => undefined } };
    const response = { status: 200, headers: {}, body: "x" };
    const repeats = () => cache.answer(incoming) !== null;
    for (const _ of ["first", "again"]) {
      const rendered = { response, version: 1, parameters: [] };
      cache.cacheRequest(request, await cache.storeAndAnswer(request, asked, rendered));
      mock.timers.tick(10 * 60 * 1000 - 1);
      assert.equal(repeats(), true);
      mock.timers.tick(1);
      assert.equal(repeats(), false);
    }
    mock.timers.reset();
  });
});

describe("a page", () => {
  const store = openReading();
  after(() => store[Symbol.dispose]());
  store.put("topic", "/topics/time");
  store.put("topic", "/topics/courage");
  for (let number = 0; number < 30; number += 1) {
    store.put("quotation", `/quotations/q-${number}`, { relations: { topics: ["/topics/time"] } });
  }
  let rendered = 0;
  const resolve: ReadingCopy["resolve"] = (path) => {
    // With a query it is looked up as an address of a former site, which renders nothing.
    if (!path.includes("?")) rendered += 1;
    return store.reading.resolve(path);
  };
  const app = createHttpHandler(idleParts(withOverriddenMethods(store.reading, { resolve })));
  const rendersOf = async (...paths: string[]) => {
    const before = rendered;
    for (const path of paths) assert.equal((await sendTo(app, path)).status, 200, path);
    return rendered - before;
  };

  it("is rendered once, whatever unknown parameters are sent", async () => {
    assert.notEqual(await rendersOf("/topics/time"), 0);
    assert.notEqual(await rendersOf("/topics/courage"), 0);
    const numbers = Array.from({ length: 1000 }, (_, number) => number);
    assert.equal(await rendersOf(...numbers.map((n) => `/topics/time?x=${n}&works=${n}`)), 0);
    const firsts = ["page=1", "page=0", "page=x", "page=01"];
    assert.equal(await rendersOf(...firsts.map((query) => `/topics/time?${query}`)), 0);
    assert.equal(await rendersOf("/topics/courage"), 0, "others are still kept");
  });

  it("is rendered for each part of a list that it declares", async () => {
    assert.notEqual(await rendersOf("/topics/time?page=2"), 0);
    assert.equal(await rendersOf("/topics/time?x=1&page=2", "/topics/time?page=2&x=2"), 0);
  });
});
