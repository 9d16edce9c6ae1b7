import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { after, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { ended, listening } from "../support/listening.ts";
import { openFixture } from "../support/open-fixture.ts";

const site = await openFixture();
const port = await listening(site.server);

after(async () => {
  await ended(site.server);
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

it("sends whole pages to a client that asks for many before it reads", async () => {
  const pages = ["/topics/time", "/topics/time.md", "/authors/epictetus"];
  const whole = await Promise.all(pages.map(async (path) => (await overSocket(path, {})).body));
  // Not in the same order twice, so that no page takes the room of another one that is the same.
  const order = Array.from({ length: 400 }, (_, number) => (number * number + (number >> 3)) % 3);
  const paths = order.map((page, number) => `${pages[page]}?slow=${number}`);
  const socket = connect(port, "127.0.0.1").setEncoding("utf8").pause();
  const requests = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  socket.write(requests.join(""));
  await setTimeout(200);
  let received = "";
  socket.on("data", (piece) => {
    received += piece;
    if (received.split("HTTP/1.1 200 OK\r\n").length > paths.length) socket.end();
  });
  socket.resume();
  await once(socket, "close");
  const bodies = received
    .split("HTTP/1.1 200 OK\r\n")
    .slice(1)
    .map((answer) => answer.slice(answer.indexOf("\r\n\r\n") + 4));
  assert.deepEqual(
    bodies.map((body) => whole.indexOf(body)),
    order,
  );
});
