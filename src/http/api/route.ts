import { z } from "zod";
import type { Actor, Scope } from "../../access/actor.ts";
import { wordIssue } from "../../content/items/issue-wording.ts";
import { AppError } from "../../errors.ts";
import type { HttpAnswer, HttpRequest } from "../exchange.ts";
import type { ApiParts, ApiStores } from "./parts.ts";

/** What a route answers with; `status` is 200 unless stated. */
export interface ApiReply {
  status?: 200 | 201 | 202 | 204;
  /** Sent as JSON; null: no body. */
  body: object | null;
  /** What the ETag stands for, a revision or the state itself; without it the answer has none. */
  state?: unknown;
  headers?: Readonly<Record<string, string>>;
}

/** One request of an administrator or an automation. */
export interface Call<Query = unknown, Body = unknown> {
  actor: Actor;
  /** A part of the path by its name in braces. @throws when the route has no such part: a bug. */
  part(name: string): string;
  query: Query;
  body: Body;
  /** In a route that changes something: within the one transaction of this request. */
  stores: ApiStores;
  parts: Omit<ApiParts, "stores" | "atomically">;
  now: Date;
  requestId: string;
}

interface RouteHead {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Below `/api/v1`, parts in braces: `/content/{id}`. */
  path: string;
  /** What the key must be allowed to do; null: any key. The use case checks it as well. */
  scope: Scope | null;
  /** A sentence for the description of the interface. */
  summary: string;
}

interface JsonDeclaration<Query, Body> extends RouteHead {
  query: z.ZodType<Query>;
  body: z.ZodType<Body>;
  /** Has the check of the body to be waited for, as one that hashes? It takes zod several times as long. */
  takesLong?: true;
  /** What it answers when all goes well; for the description. */
  reply: z.ZodType;
  /**
   * For a change of what exists: its present state, as `ApiReply.state` gives it. The request must
   * then carry the `ETag` of that state as `If-Match`, or `*`.
   */
  changes?: (call: Call<Query, Body>) => Promise<unknown>;
  answer(call: Call<Query, Body>): Promise<ApiReply>;
}

/** A route that takes and gives JSON. Every one that is no GET runs as one transaction. */
export interface JsonRoute extends RouteHead {
  kind: "json";
  query: z.ZodType;
  body: z.ZodType;
  reply: z.ZodType;
  /** Must the request state what it changes? */
  changes: boolean;
  /**
   * Checks the query and the body, outside of any transaction: a schema may do there what takes long,
   * as hashing. @throws {AppError} `invalid`, naming what is wrong with them.
   */
  prepare(call: Omit<Call, "stores">): Promise<PreparedCall>;
}

/** A checked call, to be run on the stores of its transaction. */
export interface PreparedCall {
  /** The present state of what it changes; undefined for a route that changes nothing. */
  state(stores: ApiStores): Promise<unknown>;
  answer(stores: ApiStores): Promise<ApiReply>;
}

/** A call whose body is still to be read, outside of any transaction. */
export interface StreamCall<Query = unknown> extends Omit<Call<Query>, "body" | "parts"> {
  request: HttpRequest;
  parts: ApiParts;
}

interface StreamDeclaration<Query> extends RouteHead {
  query: z.ZodType<Query>;
  /** Media types of the request's body; empty: it has none. */
  accepts: readonly string[];
  /** Media types of the answer. */
  gives: readonly string[];
  answer(call: StreamCall<Query>): Promise<HttpAnswer>;
}

/** A route that reads or writes a stream, or answers something else than JSON. */
export interface StreamRoute extends StreamDeclaration<unknown> {
  kind: "stream";
}

export type Route = JsonRoute | StreamRoute;

const WORDING = { error: wordIssue };

/** For routes without parameters. */
export const NO_QUERY = z.strictObject({});
/** For routes that take no body. */
export const NO_BODY = z.undefined({ error: "is not taken here; leave it out" });

export function defineRoute<Query, Body>(declaration: JsonDeclaration<Query, Body>): JsonRoute {
  const { query, body, takesLong, changes, answer, ...head } = declaration;
  return {
    kind: "json",
    ...head,
    query,
    body,
    changes: changes !== undefined,
    async prepare(call) {
      const read = {
        ...call,
        query: checked(query.safeParse(call.query, WORDING), "the query"),
        body: checked(
          takesLong === true
            ? await body.safeParseAsync(call.body, WORDING)
            : body.safeParse(call.body, WORDING),
          "the body",
        ),
      };
      return {
        state: async (stores) => await changes?.({ ...read, stores }),
        answer: async (stores) => await answer({ ...read, stores }),
      };
    },
  };
}

/** @throws {AppError} `invalid` from the route, naming what is wrong with the query. */
export function defineStream<Query>(declaration: StreamDeclaration<Query>): StreamRoute {
  const { query, answer } = declaration;
  return {
    ...declaration,
    kind: "stream",
    answer: async (call) =>
      await answer({ ...call, query: checked(query.safeParse(call.query, WORDING), "the query") }),
  };
}

/** @throws {AppError} `invalid`, naming each thing wrong with the subject. */
function checked<Input>(parsed: z.ZodSafeParseResult<Input>, subject: string): Input {
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => ({
    where: path.join("."),
    message,
  }));
  const told = problems.map(({ where, message }) =>
    where === "" ? `${subject} ${message}` : `${where}: ${message}`,
  );
  const message = `Something is wrong with the request: ${told.join("; ")}`;
  throw new AppError("invalid", message, { problems });
}
