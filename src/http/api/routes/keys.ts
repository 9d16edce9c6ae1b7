import { z } from "zod";
import { SCOPES } from "../../../access/actor.ts";
import { RATE_PER_MINUTE_DEFAULT, requireKnownTools } from "../../../access/keys/key-attributes.ts";
import {
  changeKey,
  ROTATION_GRACE_SECONDS_DEFAULT,
  ROTATION_GRACE_SECONDS_MAX,
  revokeKey,
  rotateKey,
} from "../../../access/keys/key-changes.ts";
import { inspectKey, listKeys, toKeyWithStatus } from "../../../access/keys/key-lists.ts";
import { type IssuedKey, issueKey, KEY_STATUSES, type Key } from "../../../access/keys/keys.ts";
import { decodeCursor, encodeCursor } from "../../../content/lists/cursor.ts";
import { pageQueryShape } from "../page-query.ts";
import {
  type ApiCall,
  type ApiResponse,
  defineRoute,
  NO_BODY,
  NO_QUERY,
  type Route,
} from "../route.ts";

const scopes = z.array(z.enum(SCOPES)).max(100);
const text = z.string();
const networks = z.array(z.string());
const time = z.iso.datetime({ offset: true });

const tools = z.array(z.string().max(100)).max(50);

/** Settings of a key in requests that issue or change it. */
export const keySettingsShape = {
  scopes: scopes.meta({ description: "At most your own; mcp:read may always be granted" }),
  ratePerMinute: z.int().meta({ description: "Requests per minute to the MCP service" }),
  networks: networks.meta({ description: "CIDR blocks; empty: any network" }),
  expiresAt: time.nullable().meta({ description: "Null: never" }),
};

const issueBody = z.strictObject({
  name: text,
  scopes: keySettingsShape.scopes,
  owner: text.exactOptional(),
  contact: text.exactOptional(),
  purpose: text.exactOptional(),
  ratePerMinute: keySettingsShape.ratePerMinute.exactOptional(),
  networks: keySettingsShape.networks.exactOptional(),
  tools: tools.exactOptional().meta({ description: "Tools the key may call; empty: all" }),
  expiresAt: keySettingsShape.expiresAt.exactOptional(),
});

const changedText = text
  .nullable()
  .transform((value) => value ?? "")
  .exactOptional();

/** Properties to change. Null clears an optional property. */
const changeBody = issueBody.extend({
  name: text.exactOptional(),
  scopes: keySettingsShape.scopes.exactOptional(),
  owner: changedText,
  contact: changedText,
  purpose: changedText,
  networks: keySettingsShape.networks
    .nullable()
    .transform((value) => value ?? [])
    .exactOptional(),
  tools: tools
    .nullable()
    .transform((value) => value ?? [])
    .exactOptional(),
  ratePerMinute: keySettingsShape.ratePerMinute
    .nullable()
    .transform((value) => value ?? RATE_PER_MINUTE_DEFAULT)
    .exactOptional(),
});

export const keyResponseSchema = z
  .object({
    id: text,
    name: text,
    owner: text,
    contact: text,
    purpose: text,
    scopes,
    ratePerMinute: z.int(),
    networks,
    tools,
    expiresAt: text.nullable(),
    createdAt: text,
    createdBy: text,
    lastUsedAt: text.nullable().meta({ description: "To the minute" }),
    revokedAt: text.nullable(),
    revokedWhy: text.nullable(),
    rotatedFrom: text.nullable().meta({ description: "The key this one replaced" }),
    remindedAt: text.nullable().meta({ description: "When its holder was reminded of its end" }),
    status: z.enum(KEY_STATUSES),
  })
  .meta({ id: "Key" });
const issuedResponseSchema = keyResponseSchema.extend({
  key: text.meta({ description: "The key itself, shown only once" }),
});

const list = defineRoute({
  method: "GET",
  path: "/keys",
  scope: "keys:manage",
  summary: "List keys in order of issue, without their secrets",
  query: z.strictObject({
    status: z.enum(KEY_STATUSES).exactOptional(),
    scope: z.enum(SCOPES).exactOptional(),
    text: text
      .max(300)
      .exactOptional()
      .meta({ description: "Text in the name, owner, contact, purpose, id or issuer" }),
    ...pageQueryShape,
  }),
  body: NO_BODY,
  response: z.object({ items: z.array(keyResponseSchema), nextCursor: text.nullable() }),
  async answer({ actor, stores, query: { cursor, limit, ...filters }, now }) {
    const start = cursor === undefined ? {} : { after: decodeCursor(cursor, filters, z.string()) };
    const { keys, hasMore } = await listKeys(
      stores.keys,
      actor,
      { ...filters, ...start, limit },
      now,
    );
    const last = keys.at(-1);
    const nextCursor = hasMore && last !== undefined ? encodeCursor(filters, last.id) : null;
    return { body: { items: keys.map((key) => toKeyWithStatus(key, now)), nextCursor } };
  },
});

const issue = defineRoute({
  method: "POST",
  path: "/keys",
  scope: "keys:manage",
  summary: "Issue a key, shown only once",
  query: NO_QUERY,
  body: issueBody,
  response: issuedResponseSchema,
  async answer({ actor, stores, parts, body: { expiresAt, ...terms }, now, requestId }) {
    requireKnownTools(terms.tools ?? [], parts.toolNames);
    const end =
      expiresAt === undefined || expiresAt === null ? {} : { expiresAt: new Date(expiresAt) };
    const input = { ...terms, ...end };
    return issuedResponse(await issueKey(stores.keys, actor, input, now, { requestId }), now);
  },
});

const inspect = defineRoute({
  method: "GET",
  path: "/keys/{id}",
  scope: "keys:manage",
  summary: "Get a key, without its secret",
  query: NO_QUERY,
  body: NO_BODY,
  response: keyResponseSchema,
  answer: async (call) => keyDetailsResponse(await keyFromPath(call), call.now),
});

const change = defineRoute({
  method: "PATCH",
  path: "/keys/{id}",
  scope: "keys:manage",
  summary: "Change the name, rights, networks or expiry of a key",
  query: NO_QUERY,
  body: changeBody,
  response: keyResponseSchema,
  stateToMatch: async (call) => keyStateForIfMatch(await keyFromPath(call)),
  async answer(call) {
    const { expiresAt, ...terms } = call.body;
    requireKnownTools(terms.tools ?? [], call.parts.toolNames);
    const end =
      expiresAt === undefined
        ? {}
        : { expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() };
    const { stores, actor, now, requestId } = call;
    const options = { change: { ...terms, ...end }, now, requestId };
    return keyDetailsResponse(
      await changeKey(stores.keys, actor, call.pathParameter("id"), options),
      now,
    );
  },
});

const revoke = defineRoute({
  method: "DELETE",
  path: "/keys/{id}",
  scope: "keys:manage",
  summary: "Revoke a key; it stops working immediately",
  query: z.strictObject({
    why: text.default("").meta({ description: "The reason, for the record" }),
  }),
  body: NO_BODY,
  response: keyResponseSchema,
  stateToMatch: async (call) => keyStateForIfMatch(await keyFromPath(call)),
  async answer({ stores, actor, pathParameter, query, now, requestId }) {
    const options = { why: query.why, now, requestId };
    return keyDetailsResponse(
      await revokeKey(stores.keys, actor, pathParameter("id"), options),
      now,
    );
  },
});

const rotate = defineRoute({
  method: "POST",
  path: "/keys/{id}/rotate",
  scope: "keys:manage",
  summary: "Issue a replacement for a key, which keeps working for the grace period",
  query: NO_QUERY,
  body: z
    .strictObject({
      graceSeconds: z
        .int()
        .min(0)
        .max(ROTATION_GRACE_SECONDS_MAX)
        .default(ROTATION_GRACE_SECONDS_DEFAULT),
    })
    .default({ graceSeconds: ROTATION_GRACE_SECONDS_DEFAULT }),
  response: issuedResponseSchema,
  async answer({ stores, actor, pathParameter, body: { graceSeconds }, now, requestId }) {
    const options = { graceSeconds, now, requestId };
    return issuedResponse(await rotateKey(stores.keys, actor, pathParameter("id"), options), now);
  },
});

export const keyRoutes: readonly Route[] = [list, issue, inspect, change, revoke, rotate];

export async function keyFromPath({
  stores,
  actor,
  pathParameter,
}: Pick<ApiCall, "stores" | "actor" | "pathParameter">): Promise<Key> {
  return await inspectKey(stores.keys, actor, pathParameter("id"));
}

/** The state for `If-Match`, without the properties that the service itself updates. */
export function keyStateForIfMatch({
  lastUsedAt: _used,
  remindedAt: _reminded,
  ...state
}: Key): object {
  return state;
}

export function keyDetailsResponse(key: Key, now: Date): ApiResponse {
  return { body: toKeyWithStatus(key, now), state: keyStateForIfMatch(key) };
}

function issuedResponse({ key, record }: IssuedKey, now: Date): ApiResponse {
  const { id, ...rest } = toKeyWithStatus(record, now);
  return {
    status: 201,
    body: { id, key, ...rest },
    state: keyStateForIfMatch(record),
    headers: { Location: `/api/v1/keys/${id}` },
  };
}
