import { z } from "zod";
import { messageArrivedMail } from "../../mail/mails/message-arrived.ts";
import { type Actor, actorName } from "../actor.ts";
import type { AuditEntry, ChangeContext } from "../audit.ts";
import {
  auditEntryForSubmission,
  clampTimeToEarliest,
  createInitialSubmissionValues,
  type MailStores,
  readSubmission,
  receiveSubmission,
  type Submission,
  type SubmissionContext,
  type SubmissionStore,
} from "./submissions.ts";
import {
  emailAddressSchema,
  INPUT_CHARACTERS_MAX,
  multiLineTextSchema,
  singleLineTextSchema,
} from "./visitor-input.ts";

/** The form with which a visitor sends the editors a message. */
export const messageInputSchema = z
  .strictObject({
    name: singleLineTextSchema({
      charactersMax: INPUT_CHARACTERS_MAX.name,
      whenEmpty: "Tell us your name",
    }),
    email: emailAddressSchema,
    /** The address of the page that the message is about. */
    about: singleLineTextSchema({ charactersMax: INPUT_CHARACTERS_MAX.about }),
    text: multiLineTextSchema({
      charactersMax: INPUT_CHARACTERS_MAX.message,
      whenEmpty: "Write your message",
    }),
  })
  .partial({ about: true })
  .transform(({ about = "", text, ...sender }) => ({
    ...sender,
    text: about === "" ? text : `About: ${about}\n\n${text}`,
  }));

export type MessageInput = z.output<typeof messageInputSchema>;

export const MESSAGE_STATES = ["new", "handled"] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];

/** A message to the editors as stored in the record. */
export interface Message extends Submission, MessageInput {
  state: MessageState;
  handledBy: string | null;
}

export interface MessageStore extends SubmissionStore<Message> {
  remove(id: string, entry: AuditEntry): Promise<void>;
}

/** Stores a message and mails it to the editors. Call within a transaction. */
export async function receiveMessage(
  stores: MailStores & { messages: MessageStore },
  input: MessageInput,
  context: SubmissionContext,
): Promise<Message> {
  const store = stores.messages;
  const newFields = await createInitialSubmissionValues(stores, context.now);
  const message: Message = { ...input, ...newFields, state: "new", handledBy: null };
  const destination = { store, mails: stores, action: "message.receive" };
  return await receiveSubmission(message, destination, { ...context, notice: messageArrivedMail });
}

/** @throws {AppError} `not_found`, `forbidden`, `unauthenticated`. */
export async function readMessage(
  messages: MessageStore,
  actor: Actor,
  id: string,
): Promise<Message> {
  return await readSubmission(messages, actor, { id, noun: "message" });
}

/** Marks a message as handled or new. */
export async function setMessageState(
  messages: MessageStore,
  actor: Actor,
  id: string,
  { state, now, requestId }: { state: MessageState } & ChangeContext,
): Promise<Message> {
  const message = await readMessage(messages, actor, id);
  if (message.state === state) return message;
  const marked: Message = {
    ...message,
    state,
    changedAt: clampTimeToEarliest(message.changedAt, now),
    revision: message.revision + 1,
    handledBy: state === "handled" ? actorName(actor) : null,
  };
  const action = state === "handled" ? "message.handle" : "message.reopen";
  const context = requestId === undefined ? { actor, now } : { actor, now, requestId };
  await messages.update(marked, auditEntryForSubmission(action, marked, context));
  return marked;
}

/** Removes a message and the mails about it. Call within a transaction. */
export async function removeMessage(
  { messages, outbox }: Pick<MailStores, "outbox"> & { messages: MessageStore },
  actor: Actor,
  id: string,
  context: ChangeContext,
): Promise<void> {
  const message = await readMessage(messages, actor, id);
  const removal = { id, revision: message.revision + 1 };
  await outbox.forget(id);
  await messages.remove(
    id,
    auditEntryForSubmission("message.remove", removal, { ...context, actor }),
  );
}
