import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { openApiClient } from "../../support/api-client.ts";
import { requireNearLinearRequests } from "../../support/costly/growth.ts";
import { COSTLY_MARKDOWN } from "../../support/costly/markdown.ts";
import { COSTLY_HEADERS, COSTLY_JSON, COSTLY_QUERIES } from "../../support/costly/requests.ts";
import { sendTo } from "../../support/send-to.ts";

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());

/** What `/healthz` may wait. */
const TURN_MILLISECONDS_MAX = 250;
const IS_FULL = process.env["COSTS"] === "full";
const BODY_BYTES = IS_FULL ? 1024 * 1024 : 96 * 1024;
/** Each of them once took seconds, or is among the costliest for its length. */
const COSTLIEST = [
  "equal headings",
  "a long table",
  "many tables",
  "many pictures",
  "space between words",
  "lists that alternate",
];

async function statusOf(path: string, init: RequestInit = {}): Promise<number> {
  const response = await sendTo(api.app.http, path, init);
  await response.arrayBuffer();
  return response.status;
}

async function create(body: string): Promise<number> {
  const headers = { Authorization: `Bearer ${api.key}`, "Content-Type": "application/json" };
  return await statusOf("/api/v1/content", { method: "POST", headers, body });
}

describe("The cost of a request grows with its length, not with its square:", () => {
  for (const [name, text] of Object.entries(COSTLY_QUERIES)) {
    it(`query: ${name}`, () =>
      requireNearLinearRequests({ characters: 1900, times: 20 }, async (characters) => {
        assert((await statusOf(`/search?${text(characters)}`)) < 500);
      }));
  }
  for (const [at, { name, text }] of COSTLY_HEADERS.entries()) {
    it(`header ${at}: ${name}`, () =>
      requireNearLinearRequests({ characters: 3500, times: 20 }, async (characters) => {
        assert((await statusOf("/topics", { headers: { [name]: text(characters) } })) < 500);
      }));
  }
  for (const [name, text] of Object.entries(COSTLY_JSON)) {
    it(`JSON: ${name}`, () =>
      requireNearLinearRequests({ characters: 32 * 1024, times: 1 }, async (characters) => {
        assert((await create(text(characters))) < 500);
      }));
  }
});

describe("No turn of the event loop is longer than 250 ms of CPU time", () => {
  for (const [name, text] of Object.entries(COSTLY_MARKDOWN)) {
    if (!IS_FULL && !COSTLIEST.includes(name)) continue;
    it(`while a text comes in: ${name}`, async () => {
      const body = firstBytes(text(BODY_BYTES), BODY_BYTES);
      const item = { type: "page", title: name, body, status: "published" };
      const turns = longestTurn();
      const status = await create(JSON.stringify(item));
      const milliseconds = turns.end();
      assert([201, 400].includes(status), String(status));
      assert(milliseconds <= TURN_MILLISECONDS_MAX, `${Math.round(milliseconds)} ms`);
    });
  }
});

function firstBytes(text: string, bytes: number): string {
  const cut = Buffer.from(text).subarray(0, bytes).toString();
  return cut.replace(/\uFFFD$/, "");
}

/** CPU time of this thread, since wall time on a busy machine may be anything. */
function longestTurn(): { end(): number } {
  let longest = 0;
  let last = process.threadCpuUsage();
  const note = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1000);
    last = process.threadCpuUsage();
  };
  let next = setImmediate(function again() {
    note();
    next = setImmediate(again);
  });
  return {
    end() {
      clearImmediate(next);
      note();
      return longest;
    },
  };
}
