import { z } from "zod";
import {
  MESSAGE_STATES,
  type Message,
  readMessage,
  removeMessage,
  setMessageState,
} from "../../../access/submissions/messages.ts";
import { listSubmissions } from "../../../access/submissions/submissions.ts";
import { decodeCursor, toCursorPage } from "../../../content/lists/cursor.ts";
import { pageQueryShape } from "../page-query.ts";
import { type ApiCall, defineRoute, NO_BODY, NO_QUERY, type Route } from "../route.ts";
import { mailsResponseSchema } from "./mail-shapes.ts";

const text = z.string();
const time = z.iso.datetime();
const state = z.enum(MESSAGE_STATES);

const messageResponseSchema = z
  .object({
    id: text,
    state,
    name: text,
    email: text,
    text,
    receivedAt: time,
    changedAt: time,
    revision: z.int(),
    handledBy: text.nullable(),
  })
  .meta({ id: "Message" });

const list = defineRoute({
  method: "GET",
  path: "/messages",
  scope: "requests:manage",
  summary: "List what visitors wrote to the editors, latest first",
  query: z.strictObject({
    state: state.exactOptional(),
    ...pageQueryShape,
  }),
  body: NO_BODY,
  response: z.object({ items: z.array(messageResponseSchema), nextCursor: text.nullable() }),
  async answer({ actor, stores, query: { state = null, limit, cursor } }) {
    const filters = { messages: state };
    const before = cursor === undefined ? null : decodeCursor(cursor, filters, z.string());
    const options = { state, before, limit: limit + 1 };
    const submissions = await listSubmissions(stores.messages, actor, options);
    return {
      body: toCursorPage(submissions, { limit, query: filters, positionOf: ({ id }) => id }),
    };
  },
});

const read = defineRoute({
  method: "GET",
  path: "/messages/{id}",
  scope: "requests:manage",
  summary: "Get a message, with the status of the mails about it",
  query: NO_QUERY,
  body: NO_BODY,
  response: messageResponseSchema.extend({ mails: mailsResponseSchema }),
  async answer(call) {
    const message = await messageOf(call);
    const mails = await call.stores.outbox.statesAbout(message.id);
    return { body: { ...message, mails }, state: message.revision };
  },
});

const mark = defineRoute({
  method: "PATCH",
  path: "/messages/{id}",
  scope: "requests:manage",
  summary: "Mark a message as handled, or as new again",
  query: NO_QUERY,
  body: z.strictObject({ state }),
  response: messageResponseSchema,
  stateToMatch: revisionNow,
  async answer({ stores, actor, pathParameter, body, now, requestId }) {
    const options = { ...body, now, requestId };
    const message = await setMessageState(stores.messages, actor, pathParameter("id"), options);
    return { body: message, state: message.revision };
  },
});

const remove = defineRoute({
  method: "DELETE",
  path: "/messages/{id}",
  scope: "requests:manage",
  summary: "Delete a message permanently",
  query: NO_QUERY,
  body: NO_BODY,
  response: z.null(),
  stateToMatch: revisionNow,
  async answer({ stores, actor, pathParameter, now, requestId }) {
    await removeMessage(stores, actor, pathParameter("id"), { now, requestId });
    return { status: 204, body: null };
  },
});

export const messageRoutes: readonly Route[] = [list, read, mark, remove];

async function messageOf({ stores, actor, pathParameter }: ApiCall): Promise<Message> {
  return await readMessage(stores.messages, actor, pathParameter("id"));
}

async function revisionNow(call: ApiCall): Promise<number> {
  return (await messageOf(call)).revision;
}
