import { z } from "zod";
import { issueKey } from "../../src/access/keys/keys.ts";
import { saveItem } from "../../src/content/editing/editing.ts";
import { itemInputSchema } from "../../src/content/items/item.ts";
import { AppError, englishOnlyWording } from "../../src/errors.ts";
import {
  type ApiCall,
  defineRoute,
  defineStreamRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../../src/http/api/route.ts";
import { readBodyInPieces } from "../../src/http/body-reading.ts";

const title = z.strictObject({ title: z.string() });

/**
 * A small table of routes on a real store, which a test knows completely: a secret shown once, an item by its
 * path, a change that fails at its end, a stream.
 */
export const SAMPLE_ROUTES: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: "/secrets",
    scope: "keys:manage",
    summary: "Issue a key that is shown once",
    query: NO_QUERY,
    body: z.strictObject({ name: z.string().min(1), fails: z.boolean().optional() }),
    response: z.object({ id: z.string(), key: z.string() }),
    async answer({ stores, body, now }) {
      const input = { name: body.name, scopes: ["mcp:read"] as const };
      const { key, record } = await issueKey(stores.keys, { kind: "operator" }, input, now);
      if (body.fails === true)
        throw new AppError("conflict", englishOnlyWording("It fails when all is done"));
      const headers = { Location: `/api/v1/secrets/${record.id}` };
      return { status: 201, body: { id: record.id, key }, state: 1, headers };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/topics/{slug}",
    scope: "content:read",
    summary: "A topic",
    query: z.strictObject({ view: z.enum(["short", "long"]).optional() }),
    body: NO_BODY,
    response: title,
    async answer(call) {
      const { title, revision } = await topicOf(call);
      return { body: { title }, state: revision };
    },
  }),
  defineRoute({
    method: "PATCH",
    path: "/topics/{slug}",
    scope: "content:write",
    summary: "Change the title of a topic",
    query: NO_QUERY,
    body: title,
    response: title,
    stateToMatch: async (call) => (await topicOf(call)).revision,
    async answer(call) {
      const { path, status } = await topicOf(call);
      const input = itemInputSchema.parse({ type: "topic", path, status, ...call.body });
      const { item } = await saveItem(call.stores.content, { kind: "operator" }, input, call.now);
      return { body: { title: item.title }, state: item.revision };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/topics/first",
    scope: "content:read",
    summary: "Stands before any topic of that name",
    query: NO_QUERY,
    body: NO_BODY,
    response: z.object({ isFirst: z.boolean() }),
    answer: async () => ({ body: { isFirst: true } }),
  }),
  defineStreamRoute({
    method: "POST",
    path: "/echo",
    scope: "transfer:run",
    summary: "The body again",
    query: z.strictObject({ times: z.enum(["1", "2"]).optional() }),
    accepts: ["text/plain"],
    produces: ["text/plain"],
    answer: async ({ request }) => ({
      status: 200,
      headers: { "Content-Type": "text/plain" },
      body: ReadableStream.from(readBodyInPieces(request.body)),
    }),
  }),
  defineRoute({
    method: "POST",
    path: "/bug",
    scope: null,
    summary: "Fails in a way nobody foresaw",
    query: NO_QUERY,
    body: NO_BODY,
    response: z.null(),
    answer: async () => {
      throw new Error("SQLITE_SECRET at /home/somebody");
    },
  }),
];

async function topicOf({ stores, pathParameter }: ApiCall) {
  const item = await stores.content.itemAt(`/topics/${pathParameter("slug")}`);
  if (item === null) throw new AppError("not_found", englishOnlyWording("There is no such topic"));
  return item;
}
