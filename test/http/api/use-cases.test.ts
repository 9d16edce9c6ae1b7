import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createApiDoor } from "../../../src/http/api/door.ts";
import type { Route } from "../../../src/http/api/route.ts";
import { ROUTES } from "../../../src/http/api/routes.ts";
import { openApiClient } from "../../support/api-client.ts";
import { type Sample, sampleRequests } from "../../support/api-samples.ts";
import { sendTo } from "../../support/send-to.ts";

/** What takes a file that a job has written, or a delivery that has failed, to be answered well. */
const TRIED_ELSEWHERE = ["GET /jobs/{id}/result", "POST /webhooks/{id}/deliveries/{n}/retry"];

const api = await openApiClient();
after(() => api[Symbol.asyncDispose]());
const samples = sampleRequests(api);
const tried = ROUTES.filter((route) => !TRIED_ELSEWHERE.includes(nameOf(route)));

describe("a good request", () => {
  for (const route of tried) {
    it(`${nameOf(route)} is answered well`, async () => {
      const { path, options } = await sampleOf(route);
      const { status, text } = await api.request(route.method, path, options);
      assert(status < 300, `${status}: ${text}`);
    });
  }
});

describe("behind a door that checks no scope", () => {
  const openDoor = createApiDoor(
    api.app.apiParts,
    ROUTES.map((route) => ({ ...route, scope: null })),
  );
  for (const route of tried.filter(({ scope }) => scope !== null)) {
    it(`${nameOf(route)} asks for its scope itself`, async () => {
      const key = await api.issue("metrics:read");
      const { path, options } = await sampleOf(route);
      const response = await sendTo(openDoor, `/api/v1${path}`, {
        method: route.method,
        headers: {
          "Content-Type": "application/json",
          ...options.headers,
          Authorization: `Bearer ${key}`,
        },
        ...(options.body === undefined ? {} : { body: bodyOf(options.body) }),
      });
      const told = await response.text();
      assert(told.includes(`This key lacks the scope ${route.scope}`), told);
      // A stream may have begun when it is refused.
      if (route.kind === "json") assert.equal(response.status, 403);
    });
  }
});

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

async function sampleOf(route: Route): Promise<Sample> {
  const sample = samples.get(nameOf(route));
  if (sample !== undefined) return await sample();
  const isPlain = route.method === "GET" && !route.path.includes("{");
  assert(isPlain, `${nameOf(route)} has no good request in test/support/api-samples.ts`);
  return { path: route.path, options: {} };
}

function bodyOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === "string" ? body : JSON.stringify(body);
}
