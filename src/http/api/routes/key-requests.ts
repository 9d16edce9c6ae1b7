import { z } from "zod";
import { approveKeyRequest } from "../../../access/submissions/key-approvals.ts";
import { declineKeyRequest } from "../../../access/submissions/key-decisions.ts";
import {
  KEY_REQUEST_STATES,
  type KeyRequest,
  readKeyRequest,
  toKeyRequestWithoutCodeHash,
} from "../../../access/submissions/key-requests.ts";
import { listSubmissions } from "../../../access/submissions/submissions.ts";
import { multiLineTextSchema } from "../../../access/submissions/visitor-input.ts";
import { decodeCursor, toCursorPage } from "../../../content/lists/cursor.ts";
import { pageQueryShape } from "../page-query.ts";
import { type ApiCall, defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { keySettingsShape } from "./keys.ts";
import { mailsResponseSchema } from "./mail-shapes.ts";

const NOTE_CHARACTERS_MAX = 2000;

const text = z.string();
const time = z.iso.datetime();
const note = multiLineTextSchema({ charactersMax: NOTE_CHARACTERS_MAX }).meta({
  description: "For administrators only",
});

const requestFields = {
  id: text,
  state: z.enum(KEY_REQUEST_STATES),
  name: text,
  email: text,
  organisation: text,
  task: text,
  data: text,
  access: z.enum(["read", "write"]),
  receivedAt: time,
  changedAt: time,
  revision: z.int(),
  decidedAt: time.nullable(),
  decidedBy: text.nullable(),
  note: text,
  reason: text.nullable(),
  terms: z.object({ ...keySettingsShape, expiresAt: text.nullable() }).nullable(),
  codeExpiresAt: time.nullable().meta({ description: "When the claim code expires" }),
  keyId: text.nullable().meta({ description: "The key that was issued for it" }),
  claimedAt: time.nullable(),
  erasedAt: time.nullable().meta({ description: "When the requester's data was erased" }),
};
const requestResponseSchema = z.object(requestFields).meta({ id: "KeyRequest" });
const detailResponseSchema = requestResponseSchema.extend({ mails: mailsResponseSchema });
const approvedResponseSchema = requestResponseSchema.extend({
  code: text.nullable().meta({
    description: "The claim code to pass on, shown only once; null: it is sent by mail",
  }),
  sendsMail: z.boolean().meta({ description: "Whether the code is sent by mail" }),
});

const list = defineRoute({
  method: "GET",
  path: "/key-requests",
  scope: "requests:manage",
  summary: "List requests for keys, latest first",
  query: z.strictObject({
    state: z.enum(KEY_REQUEST_STATES).exactOptional(),
    ...pageQueryShape,
  }),
  body: NO_BODY,
  response: z.object({ items: z.array(requestResponseSchema), nextCursor: text.nullable() }),
  async answer({ actor, stores, query: { state = null, limit, cursor } }) {
    const filters = { keyRequests: state };
    const before = cursor === undefined ? null : decodeCursor(cursor, filters, z.string());
    const options = { state, before, limit: limit + 1 };
    const submissions = await listSubmissions(stores.keyRequests, actor, options);
    const page = toCursorPage(submissions, { limit, query: filters, positionOf: ({ id }) => id });
    return { body: { ...page, items: page.items.map(toKeyRequestWithoutCodeHash) } };
  },
});

const read = defineRoute({
  method: "GET",
  path: "/key-requests/{id}",
  scope: "requests:manage",
  summary: "Get a request for a key, with the status of the mails about it",
  query: NO_QUERY,
  body: NO_BODY,
  response: detailResponseSchema,
  async answer(call) {
    const request = await requestFromPath(call);
    const mails = await call.stores.outbox.statesAbout(request.id);
    return { body: { ...toKeyRequestWithoutCodeHash(request), mails }, state: request.revision };
  },
});

const approve = defineRoute({
  method: "POST",
  path: "/key-requests/{id}/approve",
  scope: "requests:manage",
  summary:
    "Approve a request, or approve it again: creates a claim code, which is mailed or returned here; an earlier code stops working",
  query: NO_QUERY,
  body: z
    .strictObject({
      scopes: keySettingsShape.scopes.exactOptional(),
      ratePerMinute: keySettingsShape.ratePerMinute.exactOptional(),
      networks: keySettingsShape.networks.exactOptional(),
      expiresAt: keySettingsShape.expiresAt.exactOptional(),
      note: note.exactOptional(),
      showCode: z
        .boolean()
        .default(false)
        .meta({ description: "Return the code instead of mailing it" }),
    })
    .prefault({}),
  response: approvedResponseSchema,
  stateToMatch: revisionNow,
  async answer({ stores, actor, pathParameter, parts, body, now, requestId }) {
    const { note, showCode, expiresAt, ...terms } = body;
    const end =
      expiresAt === undefined
        ? {}
        : { expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() };
    const { request, code } = await approveKeyRequest(stores, actor, pathParameter("id"), {
      terms: { ...terms, ...end },
      ...(note === undefined ? {} : { note }),
      returnsCode: showCode,
      now,
      requestId,
      origin: parts.origin,
      sendsMail: parts.sendsMail,
    });
    return {
      body: { ...toKeyRequestWithoutCodeHash(request), code, sendsMail: code === null },
      state: request.revision,
    };
  },
});

const decline = defineRoute({
  method: "POST",
  path: "/key-requests/{id}/decline",
  scope: "requests:manage",
  summary: "Decline a request; the reason is mailed to the requester",
  query: NO_QUERY,
  body: z.strictObject({
    reason: multiLineTextSchema({ charactersMax: NOTE_CHARACTERS_MAX, whenEmpty: "say why" }).meta({
      description: "Mailed to the requester",
    }),
    note: note.exactOptional(),
  }),
  response: requestResponseSchema,
  stateToMatch: revisionNow,
  async answer({ stores, actor, pathParameter, parts, body, now, requestId }) {
    const { origin, sendsMail } = parts;
    const request = await declineKeyRequest(stores, actor, pathParameter("id"), {
      ...body,
      now,
      requestId,
      origin,
      sendsMail,
    });
    return { body: toKeyRequestWithoutCodeHash(request), state: request.revision };
  },
});

export const keyRequestRoutes: readonly Route[] = [list, read, approve, decline];

async function requestFromPath({ stores, actor, pathParameter }: ApiCall): Promise<KeyRequest> {
  return await readKeyRequest(stores.keyRequests, actor, pathParameter("id"));
}

async function revisionNow(call: ApiCall): Promise<number> {
  return (await requestFromPath(call)).revision;
}
