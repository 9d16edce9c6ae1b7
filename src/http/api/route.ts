import { z } from "zod";
import type { Actor, Scope } from "../../access/actor.ts";
import { describeIssue } from "../../content/items/issue-messages.ts";
import { AppError, englishOnlyWording } from "../../errors.ts";
import type { HttpRequest, HttpResponse } from "../exchange.ts";
import type { ApiDependencies, ApiStores } from "./dependencies.ts";

/** A route's result; `status` defaults to 200. */
export interface ApiResponse {
  status?: 200 | 201 | 202 | 204;
  /** Sent as JSON; null: no body. */
  body: object | null;
  /** The source of the ETag: a revision number or the whole state. Absent: no ETag. */
  state?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** A routed request to the admin API, with the stores and dependencies that answer it. */
export interface ApiCall<Query = unknown, Body = unknown> {
  actor: Actor;
  /**
   * The value of a path parameter. @throws if the route has no parameter of that name, which is a
   * bug.
   */
  pathParameter(name: string): string;
  query: Query;
  body: Body;
  /** In a route that changes something, the stores use the transaction of the request. */
  stores: ApiStores;
  parts: Omit<ApiDependencies, "stores" | "atomically">;
  now: Date;
  requestId: string;
}

interface RouteHead {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Path below `/api/v1`, with parameters in braces, such as `/content/{id}`. */
  path: string;
  /** Required scope; null: any key. The use case checks it again. */
  scope: Scope | null;
  /** One sentence for the OpenAPI document. */
  summary: string;
}

interface JsonDeclaration<Query, Body, Preloaded> extends RouteHead {
  query: z.ZodType<Query>;
  body: z.ZodType<Body>;
  /** Schema of a successful response, for the OpenAPI document. */
  response: z.ZodType;
  /**
   * Returns the current state of the object to change, in the same form as `ApiResponse.state`. Absent in
   * routes that change no existing object. If present, requests must send the state's `ETag`, or `*`, as
   * `If-Match`.
   */
  stateToMatch?: (call: ApiCall<Query, Body>) => Promise<unknown>;
  /** Runs slow reads before the transaction; the result is passed to `answer` as `preloaded`. */
  preload?: (call: ApiCall<Query, Body>) => Promise<Preloaded>;
  answer(call: ApiCall<Query, Body> & { preloaded: Preloaded | undefined }): Promise<ApiResponse>;
}

/** A route with JSON request and response. Every method except GET runs in one transaction. */
export interface JsonRoute extends RouteHead {
  kind: "json";
  query: z.ZodType;
  body: z.ZodType;
  response: z.ZodType;
  needsIfMatch: boolean;
  /**
   * Validates query and body outside of any transaction.
   * @throws {AppError} `invalid`, listing every fault.
   */
  prepare(call: Omit<ApiCall, "stores">): PreparedCall;
}

/** A validated call, ready to run on the stores of its transaction. */
export interface PreparedCall {
  /** Runs slow reads. Must be called before the transaction, with stores that read committed data. */
  preload(stores: ApiStores): Promise<void>;
  /** The current state of the object to change; undefined if the route has no `stateToMatch`. */
  state(stores: ApiStores): Promise<unknown>;
  answer(stores: ApiStores): Promise<ApiResponse>;
}

/** A call outside of any transaction, whose body has not been read. */
export interface StreamCall<Query = unknown> extends Omit<ApiCall<Query>, "body" | "parts"> {
  request: HttpRequest;
  parts: ApiDependencies;
}

interface StreamDeclaration<Query> extends RouteHead {
  query: z.ZodType<Query>;
  /** Media types of the request body; empty: no body. */
  accepts: readonly string[];
  /** Media types of the response. */
  produces: readonly string[];
  answer(call: StreamCall<Query>): Promise<HttpResponse>;
}

/** A route that reads or writes a stream, or responds with something other than JSON. */
export interface StreamRoute extends StreamDeclaration<unknown> {
  kind: "stream";
}

export type Route = JsonRoute | StreamRoute;

const ISSUE_WORDING = { error: describeIssue };

/** The query schema of routes without query parameters. */
export const NO_QUERY = z.strictObject({});
/** The body schema of routes without a body. */
export const NO_BODY = z.undefined({ error: "is not taken here; leave it out" });

export function defineRoute<Query, Body, Preloaded = undefined>(
  declaration: JsonDeclaration<Query, Body, Preloaded>,
): JsonRoute {
  const { query, body, stateToMatch, preload, answer, ...head } = declaration;
  return {
    kind: "json",
    ...head,
    query,
    body,
    needsIfMatch: stateToMatch !== undefined,
    prepare(call) {
      const read = {
        ...call,
        query: checked(query.safeParse(call.query, ISSUE_WORDING), "the query"),
        body: checked(body.safeParse(call.body, ISSUE_WORDING), "the body"),
      };
      let preloaded: Preloaded | undefined;
      return {
        preload: async (stores) => {
          preloaded = await preload?.({ ...read, stores });
        },
        state: async (stores) => await stateToMatch?.({ ...read, stores }),
        answer: async (stores) => await answer({ ...read, stores, preloaded }),
      };
    },
  };
}

/**
 * Defines a stream route that validates its query. It throws `invalid` with every fault of the
 * query.
 */
export function defineStreamRoute<Query>(declaration: StreamDeclaration<Query>): StreamRoute {
  const { query, answer } = declaration;
  return {
    ...declaration,
    kind: "stream",
    answer: async (call) =>
      await answer({
        ...call,
        query: checked(query.safeParse(call.query, ISSUE_WORDING), "the query"),
      }),
  };
}

/** Returns the parsed input. @throws {AppError} `invalid`, listing every fault of `subject`. */
function checked<Input>(parsed: z.ZodSafeParseResult<Input>, subject: string): Input {
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    where: path.join("."),
    message: englishOnlyWording(message),
  }));
  const faults = problems.map(({ where, message }) =>
    where === "" ? `${subject} ${message.en}` : `${where}: ${message.en}`,
  );
  const message = `Something is wrong with the request: ${faults.join("; ")}`;
  throw new AppError("invalid", englishOnlyWording(message), { problems });
}
