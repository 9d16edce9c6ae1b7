import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { after, before, describe, it } from "node:test";
import { openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
let port = 0;

before(async () => {
  site.server.listen(0, "127.0.0.1");
  await once(site.server, "listening");
  const address = site.server.address();
  assert(typeof address === "object" && address !== null);
  port = address.port;
});

after(async () => {
  site.server.closeAllConnections();
  site.server.close();
  await site.close();
});

interface Answer {
  status: number | undefined;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** Without what tells one request from another. */
function comparable({ headers, ...rest }: Answer) {
  const { date, connection, "keep-alive": _, "x-request-id": id, ...others } = headers;
  return { ...rest, headers: others };
}

async function overSocket(path: string, headers: Record<string, string>): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    get({ port, path, headers, host: "127.0.0.1" }, (message: IncomingMessage) => {
      const pieces: Buffer[] = [];
      message.on("data", (piece) => pieces.push(piece));
      message.on("end", () => {
        const body = Buffer.concat(pieces).toString();
        resolve({ status: message.statusCode, headers: message.headers, body });
      });
    }).on("error", reject);
  });
}

async function throughApp(path: string, headers: Record<string, string>): Promise<Answer> {
  const response = await site.get(path, headers);
  const body = await response.text();
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

const PATHS = [
  "/topics/time",
  "/topics/time.md",
  "/topics/time?page=1",
  "/topics/time?page=2",
  "/topics/time?n=4",
  "/authors/epictetus",
  "/about",
  "/contact",
  "/contact.md",
  "/topics",
  "/search?q=time",
  "/nowhere/at-all",
  "/healthz",
];
const WAYS: Record<string, string>[] = [
  {},
  { accept: "text/html" },
  { accept: "text/markdown, */*" },
  { accept: "application/pdf" },
  { accept: "text/html", "accept-encoding": "br" },
  { accept: "text/html", "accept-encoding": "identity;q=1, *;q=0" },
  { accept: "text/html", "if-none-match": "*" },
];

describe("a page over a socket", () => {
  for (const path of PATHS) {
    it(`is the same as through the app: ${path}`, async () => {
      for (const headers of WAYS) {
        const [direct, through] = [
          await overSocket(path, headers),
          await throughApp(path, headers),
        ];
        if (path === "/contact") assert.equal(direct.status, through.status);
        else assert.deepEqual(comparable(direct), comparable(through), JSON.stringify(headers));
      }
    });
  }

  it("does not answer an address that carries a key", async () => {
    const key = `cpl_${"a".repeat(38)}`;
    assert.equal((await overSocket(`/topics/time?k=${key}`, {})).status, 400);
  });
});
