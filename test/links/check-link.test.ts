import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after, describe, it } from "node:test";
import { checkLink, type LinkCheckOptions } from "../../src/links/checking/check-link.ts";
import { judgeLink } from "../../src/links/judging-links.ts";
import { translateLinkError } from "../../src/links/link-errors.ts";
import { ended, listening } from "../support/listening.ts";

const NOW = new Date("2026-11-20T12:00:00Z");

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

function status(code: number, headers: Record<string, string> = {}): Answer {
  return (_request, response) => void response.writeHead(code, headers).end();
}

function headAndGet(head: Answer, get: Answer): Answer {
  return (request, response) => (request.method === "HEAD" ? head : get)(request, response);
}

const ROUTES: Readonly<Record<string, Answer>> = {
  "/good": status(200),
  "/head-refused": headAndGet(status(405), status(200)),
  "/head-lies": headAndGet(status(404), status(200)),
  "/head-dawdles": headAndGet(() => {}, status(200)),
  "/endless": headAndGet(status(501), (_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(16_384)));
      if (!response.destroyed) response.once("drain", write);
    };
    write();
  }),
  "/gone": status(410),
  "/missing": status(404),
  "/forbidden": status(403),
  "/too-often": status(429, { "Retry-After": "120" }),
  "/dawdles": () => {},
  "/cuts": (request) => void request.socket.destroy(),
  "/garbage": (request) => void request.socket.end("Good day\r\n\r\n"),
  "/loop": status(301, { Location: "/loop/on" }),
  "/loop/on": status(302, { Location: "/loop#again" }),
  "/moved": status(301, { Location: "/good" }),
  "/for-now": status(302, { Location: "/good" }),
  "/for-now-then-moved": status(302, { Location: "/moved" }),
  "/moved-to-missing": status(308, { Location: "/missing" }),
  "/nowhere": status(301),
  "/elsewhere": status(301, { Location: "javascript:alert(1)" }),
  "/long": status(302, { Location: "/long/1" }),
};

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const step = /^\/long\/(\d+)$/.exec(pathname)?.[1];
  const answer =
    step === undefined ? ROUTES[pathname] : status(302, { Location: `/long/${Number(step) + 1}` });
  asked.push(`${request.method} ${pathname}`);
  (answer ?? status(404))(request, response);
});
const asked: string[] = [];
const turns: string[] = [];
const slowed: (string | undefined)[] = [];
const port = await listening(server);
after(() => ended(server));

function partsWith(more: Partial<LinkCheckOptions> = {}): LinkCheckOptions {
  return {
    userAgent: "Test",
    privateNetworks: true,
    milliseconds: 300,
    signal: new AbortController().signal,
    async waitForTurn(host) {
      turns.push(host);
      return true;
    },
    async slowDown(_host, retryAfter) {
      slowed.push(retryAfter);
    },
    ...more,
  };
}

async function ask(path: string) {
  const found = await checkLink(`http://127.0.0.1:${port}${path}`, partsWith());
  const { state, fault, target } = judgeLink({ failures: 0 }, found, NOW);
  return { state, fault, target };
}

describe("a link", () => {
  const good = { state: "good", fault: null, target: null };
  const unsure = (fault: string) => ({ state: "unsure", fault, target: null });
  const broken = (fault: string) => ({ state: "broken", fault, target: null });
  const moved = { state: "moved", fault: null, target: `http://127.0.0.1:${port}/good` };
  const CASES: [path: string, found: object][] = [
    ["/good", good],
    ["/head-refused", good],
    ["/head-lies", good],
    ["/head-dawdles", good],
    ["/endless", good],
    ["/gone", broken("It answers 410")],
    ["/missing", broken("It answers 404")],
    ["/forbidden", unsure("It answers 403")],
    ["/too-often", unsure("It answers 429")],
    ["/dawdles", unsure("No answer within 0.3 seconds")],
    ["/cuts", unsure("The connection was cut")],
    ["/garbage", unsure("The answer was not HTTP")],
    ["/loop", unsure("Its redirects go in a circle")],
    ["/moved", moved],
    ["/for-now", good],
    ["/for-now-then-moved", good],
    ["/moved-to-missing", broken("It answers 404")],
    ["/nowhere", unsure("Its redirect leads nowhere")],
    ["/elsewhere", unsure("It leads to no web page")],
    ["/long", unsure("It redirects more than 5 times")],
  ];
  for (const [path, found] of CASES) {
    it(`is ${"state" in found && String(found.state)}: ${path}`, async () => {
      assert.deepEqual(await ask(path), found);
    });
  }

  it("has every fault in each language of the screens", async () => {
    for (const [path] of CASES) {
      const found = await checkLink(`http://127.0.0.1:${port}${path}`, partsWith());
      const answer = judgeLink({ failures: 0 }, found, NOW);
      const words = translateLinkError(answer);
      assert.equal(words?.en ?? null, answer.fault, path);
      if (words !== null) assert.notEqual(words.de, words.en, path);
    }
  });

  it("is asked for with HEAD, and with GET only where that fails, each in its turn", async () => {
    asked.length = 0;
    turns.length = 0;
    await ask("/good");
    await ask("/head-lies");
    await ask("/moved");
    assert.deepEqual(asked, [
      "HEAD /good",
      "HEAD /head-lies",
      "GET /head-lies",
      "HEAD /moved",
      "HEAD /good",
    ]);
    assert.deepEqual(turns, [`127.0.0.1:${port}`, `127.0.0.1:${port}`]);
  });

  it("of a host that asks for rest gives it that", async () => {
    slowed.length = 0;
    await ask("/too-often");
    assert.deepEqual(slowed, ["120", "120"]);
  });

  it("that leads into a private network is not asked for", async () => {
    const privateNetworks = false;
    const lookup: LinkCheckOptions["lookup"] = (_name, _options, done) =>
      done(null, [{ address: "127.0.0.1", family: 4 }]);
    asked.length = 0;
    const hidden = await checkLink(`http://inner.example:${port}/good`, {
      ...partsWith({ privateNetworks }),
      lookup,
    });
    assert.match(hidden.fault ?? "", /leads into a private network/);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, "[::1]", "169.254.169.254"]) {
      const { fault } = await checkLink(`http://${host}/good`, partsWith({ privateNetworks }));
      assert.equal(fault, "It leads into a private network", host);
    }
    assert.deepEqual(asked, []);
  });
});

describe("a link that fails", () => {
  it("is broken only after three checks, a day apart; one that answers again is good", () => {
    const away = { status: null, target: null, fault: "The connection was cut" };
    const first = judgeLink({ failures: 0 }, away, NOW);
    const second = judgeLink(first, away, NOW);
    const third = judgeLink(second, away, NOW);
    assert.deepEqual(
      [first, second, third].map(({ state, dueAt }) => [state, dueAt.slice(0, 10)]),
      [
        ["unsure", "2026-11-21"],
        ["unsure", "2026-11-21"],
        ["broken", "2026-11-27"],
      ],
    );
    const again = judgeLink(third, { status: 200, target: null, fault: null }, NOW);
    assert.deepEqual([again.state, again.failures], ["good", 0]);
  });

  it("because it refuses programs is never called broken", () => {
    const refused = { status: 403, target: null, fault: null };
    const { state, dueAt } = judgeLink({ failures: 9 }, refused, NOW);
    assert.deepEqual([state, dueAt.slice(0, 10)], ["unsure", "2026-12-20"]);
  });

  it("once is not broken because its host refused programs before", () => {
    const refused = { status: 403, target: null, fault: null };
    const away = { status: null, target: null, fault: "The connection was cut" };
    let before = judgeLink({ failures: 0 }, refused, NOW);
    for (let checks = 0; checks < 3; checks += 1) before = judgeLink(before, refused, NOW);
    assert.equal(judgeLink(before, away, NOW).state, "unsure");
  });
});
