import { z } from "zod";
import { AppError } from "../errors.ts";
import { messageArrived } from "../mail/mails/message-arrived.ts";
import { type Actor, actorName, requireScope } from "./actor.ts";
import type { AuditEntry } from "./audit.ts";
import { type Dealing, type ReceptionStores, receptionEntry, writerOf } from "./reception.ts";
import { CHARACTERS_MAX, emailAddress, manyLines, oneLine } from "./visitor-input.ts";

/** What somebody writes to the editors. */
export const messageInputSchema = z.strictObject({
  name: oneLine({ charactersMax: CHARACTERS_MAX.name, whenEmpty: "Tell us your name" }),
  email: emailAddress,
  text: manyLines({ charactersMax: CHARACTERS_MAX.message, whenEmpty: "Write your message" }),
});

export type MessageInput = z.output<typeof messageInputSchema>;

export const MESSAGE_STATES = ["new", "handled"] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];

/** A message to the editors, as the record keeps it. */
export interface Message extends MessageInput {
  id: string;
  state: MessageState;
  /** ISO 8601, UTC, as all times. */
  receivedAt: string;
  changedAt: string;
  /** Counted up from 1 with each change. */
  revision: number;
  handledBy: string | null;
}

/** Every change is a transaction with its audit entry, or a part of the one under way. */
export interface MessageStore {
  newId(now: Date): string;
  byId(id: string): Promise<Message | null>;
  /** Latest first, those before an id. */
  list(options: {
    state: MessageState | null;
    before: string | null;
    limit: number;
  }): Promise<Message[]>;
  /** At most `limit`. */
  unchangedSince(since: Date, limit: number): Promise<Message[]>;
  insert(message: Message, entry: AuditEntry): Promise<void>;
  update(message: Message, entry: AuditEntry): Promise<void>;
  remove(id: string, entry: AuditEntry): Promise<void>;
}

/** Keeps a message for the editors, and mails it to them. To be called within a transaction. */
export async function leaveMessage(
  stores: ReceptionStores,
  input: MessageInput,
  dealing: Dealing,
): Promise<Message> {
  const { now } = dealing;
  const message: Message = {
    ...input,
    id: stores.messages.newId(now),
    state: "new",
    receivedAt: now.toISOString(),
    changedAt: now.toISOString(),
    revision: 1,
    handledBy: null,
  };
  const entry = receptionEntry("message.receive", message, {
    ...dealing,
    actor: { kind: "visitor" },
  });
  await stores.messages.insert(message, entry);
  if (dealing.sendsMail) {
    await stores.outbox.put(messageArrived(await writerOf(stores, dealing), message), now);
  }
  return message;
}

/** Latest first. @throws {AppError} `forbidden`, `unauthenticated`. */
export async function listMessages(
  messages: MessageStore,
  actor: Actor,
  options: { state: MessageState | null; before: string | null; limit: number },
): Promise<Message[]> {
  requireScope(actor, "requests:manage");
  return await messages.list(options);
}

/** @throws {AppError} `not_found`, `forbidden`, `unauthenticated`. */
export async function readMessage(
  messages: MessageStore,
  actor: Actor,
  id: string,
): Promise<Message> {
  requireScope(actor, "requests:manage");
  const message = await messages.byId(id);
  if (message === null) throw new AppError("not_found", `There is no message with the id ${id}`);
  return message;
}

/** Marks a message as handled, or as new again. */
export async function markMessage(
  messages: MessageStore,
  actor: Actor,
  id: string,
  { state, now, requestId }: { state: MessageState; now: Date; requestId?: string },
): Promise<Message> {
  const message = await readMessage(messages, actor, id);
  if (message.state === state) return message;
  const marked: Message = {
    ...message,
    state,
    changedAt: now.toISOString(),
    revision: message.revision + 1,
    handledBy: state === "handled" ? actorName(actor) : null,
  };
  const action = state === "handled" ? "message.handle" : "message.reopen";
  const circumstances = requestId === undefined ? { actor, now } : { actor, now, requestId };
  await messages.update(marked, receptionEntry(action, marked, circumstances));
  return marked;
}

/** Removes a message and what is kept of mails about it. To be called within a transaction. */
export async function removeMessage(
  { messages, outbox }: Pick<ReceptionStores, "messages" | "outbox">,
  actor: Actor,
  id: string,
  circumstances: { now: Date; requestId?: string },
): Promise<void> {
  const message = await readMessage(messages, actor, id);
  const removed = { id, revision: message.revision + 1 };
  await outbox.forget(id);
  await messages.remove(id, receptionEntry("message.remove", removed, { ...circumstances, actor }));
}
