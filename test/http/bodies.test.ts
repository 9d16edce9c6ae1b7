import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { parseArgs } from "node:util";
import { SCOPES } from "../../src/access/actor.ts";
import { issueKey } from "../../src/access/keys/keys.ts";
import { ended, listening } from "../support/listening.ts";
import { NOW, openFixture } from "../support/open-fixture.ts";
import { exchangeRaw, type RawAnswer } from "../support/raw-http.ts";

/** `node test/http/bodies.test.ts --all` sends every size in every way. */
const { values: asked } = parseArgs({ options: { all: { type: "boolean", default: false } } });

const KIB = 1024;
const site = await openFixture();
const { key } = await issueKey(
  site.record.keys,
  { kind: "operator" },
  { name: "Bodies", scopes: SCOPES, ratePerMinute: 100_000 },
  NOW,
);
const port = await listening(site.server);
after(async () => {
  await ended(site.server);
  await site.close();
});

interface Door {
  name: string;
  head: readonly string[];
  bytesMax: number;
  /** A body of exactly that many bytes. */
  body(size: number): Buffer;
  /** The status within the limit and a text of the answer; shorter bodies mean something else. */
  means: { from: number; status: number; text: RegExp };
  beyond: { status: number; text: RegExp };
}

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const LINE = '{"type":"topic","title":"Sent","sourceKey":"bodies:1"}';

const DOORS: readonly Door[] = [
  {
    name: "MCP",
    head: [
      "POST /mcp HTTP/1.1",
      "Content-Type: application/json",
      "Accept: application/json, text/event-stream",
    ],
    bytesMax: 256 * KIB,
    body: (size) => padded(MESSAGE, size),
    means: { from: MESSAGE.length, status: 200, text: /"result":\{/ },
    beyond: { status: 413, text: /longer than 262144 bytes/ },
  },
  {
    name: "JSON of the interface",
    head: ["POST /api/v1/content HTTP/1.1", "Content-Type: application/json"],
    bytesMax: 2 * KIB * KIB,
    body: (size) => padded('{"items":1}', size),
    means: { from: 11, status: 400, text: /Something is wrong with the request/ },
    beyond: { status: 413, text: /longer than 2097152 bytes/ },
  },
  {
    name: "a line of a bulk",
    head: ["POST /api/v1/content/bulk?mode=dry-run HTTP/1.1", "Content-Type: application/x-ndjson"],
    bytesMax: KIB * KIB,
    body: (size) => padded(LINE, size),
    means: { from: LINE.length, status: 200, text: /"outcome":"created"/ },
    beyond: { status: 200, text: /is longer than 1 MiB/ },
  },
  {
    name: "a form",
    head: ["POST /contact HTTP/1.1", "Content-Type: application/x-www-form-urlencoded"],
    bytesMax: 64 * KIB,
    body: (size) => padded("&form=none", size, "a"),
    means: { from: 10, status: 400, text: /must be one of/ },
    beyond: { status: 413, text: /longer than 65536 bytes/ },
  },
  {
    name: "a file",
    head: ["POST /api/v1/media HTTP/1.1", "Content-Type: text/plain"],
    bytesMax: 25 * KIB * KIB,
    body: (size) => padded("No picture", size, "a"),
    means: { from: 10, status: 415, text: /not published here/ },
    beyond: { status: 413, text: /larger than 25 MiB/ },
  },
];

/** Ways of sending the same body: what is written when. */
const WAYS: Readonly<Record<string, (head: string, body: Buffer) => (string | Buffer)[]>> = {
  "at once": (head, body) => [Buffer.concat([Buffer.from(headed(head, body)), body])],
  "after its headers": (head, body) => [headed(head, body), body],
  "in pieces": (head, body) => [headed(head, body), ...cut(body, pieceOf(body, 1000))],
  "byte by byte at its edges": (head, body) => [
    headed(head, body),
    ...cut(body.subarray(0, 3), 1),
    body.subarray(3, Math.max(3, body.length - 3)),
    ...cut(body.subarray(Math.max(3, body.length - 3)), 1),
  ],
  "in one chunk": (head, body) => [
    `${head}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    chunk(body),
    "0\r\n\r\n",
  ],
  "in chunks, at once": (head, body) => [
    Buffer.concat([
      Buffer.from(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n`),
      ...cut(body, pieceOf(body, 999)).map(chunk),
      Buffer.from("0\r\n\r\n"),
    ]),
  ],
  "in chunks": (head, body) => [
    `${head}\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ...cut(body, pieceOf(body, 4096)).map(chunk),
    "0\r\n\r\n",
  ],
  "when told to continue": (head, body) => [headed(`${head}\r\nExpect: 100-continue`, body), body],
  "after the same request": (head, body) => {
    const request = Buffer.concat([Buffer.from(headed(head, body)), body]);
    return [Buffer.concat([request, request])];
  },
};

for (const door of DOORS) {
  describe(`bodies sent to ${door.name}`, () => {
    for (const size of sizesFor(door)) {
      it(`are answered alike at ${size} bytes, however they come`, async () => {
        await answeredAlike(door, size);
      });
    }
  });
}

async function answeredAlike(door: Door, size: number): Promise<void> {
  const body = door.body(size);
  let first: string | undefined;
  for (const way of waysFor(door, size)) {
    for (const answer of await sent(door, body, way)) {
      check(answer, { door, size, way });
      first ??= comparable(answer);
      assert.equal(comparable(answer), first, way);
    }
  }
}

function sizesFor({ bytesMax, means }: Door): number[] {
  const few = [0, means.from, 65_535, 65_536, 65_537, 128 * KIB, bytesMax, bytesMax + 1];
  const all = [...few, 1, means.from + 1, 16 * KIB - 1, 16 * KIB, 16 * KIB + 1, bytesMax - 1];
  const steps = Array.from({ length: 32 }, (_, step) => Math.round((bytesMax * step) / 32));
  const sizes = asked.all ? [...all, ...steps] : few;
  return [...new Set(sizes.filter((size) => size <= bytesMax + 1))].sort((a, b) => a - b);
}

/** Large bodies cost time: the suite sends those in few ways. */
function waysFor({ bytesMax }: Door, size: number): string[] {
  const ways = Object.keys(WAYS);
  if (asked.all || size <= 256 * KIB + 1) return ways;
  if (bytesMax <= 2 * KIB * KIB) return ["at once", "in chunks", "when told to continue"];
  return ["at once", "in one chunk"];
}

async function sent(door: Door, body: Buffer, way: string): Promise<RawAnswer[]> {
  const head = [...door.head, "Host: quotations.example", `Authorization: Bearer ${key}`].join(
    "\r\n",
  );
  const last = "GET /healthz HTTP/1.1\r\nHost: quotations.example\r\nConnection: close\r\n\r\n";
  const pieces = [...(WAYS[way]?.(head, body) ?? []), last];
  const waitsForContinue = way === "when told to continue";
  const answers = await exchangeRaw(port, pieces, { waitsForContinue });
  assert.equal(answers.pop()?.body, "alive\n", `${way}: the connection goes on`);
  assert.equal(answers.length, way === "after the same request" ? 2 : 1, way);
  return answers;
}

function check(
  { status, body }: RawAnswer,
  { door, size, way }: { door: Door; size: number; way: string },
): void {
  if (size < door.means.from) return;
  const wanted = size > door.bytesMax ? door.beyond : door.means;
  assert.equal(status, wanted.status, `${way}: ${body}`);
  assert.match(body, wanted.text, way);
}

/** Without what names the request or an item that is not kept. */
function comparable({ status, headers, body }: RawAnswer): string {
  const ids = /"(?:requestId|id)": *"[^"]*"/g;
  return `${status} ${headers.get("content-type")} ${body.replaceAll(ids, "")}`;
}

/** What matters comes last, so that a body cut short means something else. */
function padded(text: string, size: number, filler = " "): Buffer {
  const body = Buffer.alloc(size, filler);
  body.write(text.slice(0, size), Math.max(0, size - text.length));
  return body;
}

function headed(head: string, body: Buffer): string {
  return `${head}\r\nContent-Length: ${body.length}\r\n\r\n`;
}

/** Never more than a few hundred pieces. */
function pieceOf({ length }: Buffer, bytes: number): number {
  return Math.max(bytes, Math.ceil(length / 300));
}

function cut(body: Buffer, bytes: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += bytes) pieces.push(body.subarray(at, at + bytes));
  return pieces;
}

function chunk(piece: Buffer): Buffer {
  if (piece.length === 0) return piece;
  return Buffer.concat([
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from("\r\n"),
  ]);
}
