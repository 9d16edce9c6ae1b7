import { SCOPES, type Scope } from "../../src/access/actor.ts";
import { type IssuedKey, issueKey, type NewKeyInput } from "../../src/access/keys/keys.ts";
import { createApiDoor } from "../../src/http/api/door.ts";
import type { Route } from "../../src/http/api/route.ts";
import { ROUTES } from "../../src/http/api/routes.ts";
import { createHttpHandler } from "../../src/http/front.ts";
import { idleParts } from "./http-parts.ts";
import { type Fixture, type FixtureOptions, NOW, openFixture } from "./open-fixture.ts";
import { replyCheck } from "./reply-check.ts";
import { sendTo } from "./send-to.ts";

/** Parsed JSON that a test may read without type checks. */
export type Loose = ReturnType<typeof JSON.parse>;

export interface ApiRequest {
  /** Sent as JSON. Text and bytes are sent unchanged; the caller then sets `Content-Type`. */
  body?: unknown;
  /** Replaces the client's key; null: no key is sent. */
  key?: string | null;
  headers?: Readonly<Record<string, string>>;
}

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** The parsed JSON; null if the body is not JSON. */
  body: Loose;
  /** The body as received. */
  text: string;
}

/** The administrative interface over a real store, without a socket. */
export interface ApiClient extends AsyncDisposable {
  app: Fixture;
  /** A key with all scopes and a high rate limit. */
  key: string;
  /** The service's current time. */
  clock: { now: Date };
  /** Issues a key with these scopes only. */
  issue(...scopes: Scope[]): Promise<string>;
  issueWith(input: Partial<NewKeyInput>): Promise<IssuedKey>;
  /** `path` is below `/api/v1`. Fails if the response does not match the route's description. */
  request(method: string, path: string, options?: ApiRequest): Promise<ApiAnswer>;
}

/** `routes` replaces the service's table of routes. */
export async function openApiClient({
  routes,
  ...options
}: FixtureOptions & { routes?: readonly Route[] } = {}): Promise<ApiClient> {
  const clock = { now: NOW };
  const app = await openFixture({ now: () => clock.now, ...options });
  const issueWith = async (input: Partial<NewKeyInput>) =>
    await issueKey(
      app.record.keys,
      { kind: "operator" },
      { name: "test", scopes: SCOPES, ...input },
      clock.now,
    );
  const own = await issueWith({
    scopes: SCOPES.filter((scope) => scope !== "mcp:read"),
    ratePerMinute: 10_000,
  });
  const check = replyCheck(routes ?? ROUTES);
  const front =
    routes === undefined
      ? app.http
      : createHttpHandler({ ...idleParts(app.reading), api: createApiDoor(app.apiParts, routes) });
  const ask = async (path: string, init: RequestInit): Promise<Response> =>
    await sendTo(front, path, init);
  return {
    app,
    key: own.key,
    clock,
    issue: async (...scopes) => (await issueWith({ scopes })).key,
    issueWith,
    request: async (method, path, { body, key = own.key, headers = {} } = {}) => {
      const response = await ask(`/api/v1${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
          ...(isJson(body) ? { "Content-Type": "application/json" } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: sentBody(body) }),
      });
      const text = await response.text();
      const isParsable = /\bjson\b/.test(response.headers.get("content-type") ?? "");
      const answer = {
        status: response.status,
        headers: response.headers,
        body: isParsable && text !== "" ? JSON.parse(text) : null,
        text,
      };
      if (response.ok && answer.body !== null) check(method, path, answer.body);
      return answer;
    },
    [Symbol.asyncDispose]: () => app.close(),
  };
}

function isJson(body: unknown): boolean {
  return body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array);
}

function sentBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body);
}
