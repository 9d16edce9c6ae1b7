import { foldText } from "../../search/language/folding.ts";
import { type Actor, requireScope, type Scope } from "../actor.ts";
import {
  iterateKeysInIssueOrder,
  type Key,
  type KeyReader,
  type KeyStatus,
  keyStatus,
  requireExistingKey,
} from "./keys.ts";

/** A key with its current status, for administrators. */
export type KeyWithStatus = Key & { status: KeyStatus };

export function toKeyWithStatus(key: Key, now: Date): KeyWithStatus {
  return { ...key, status: keyStatus(key, now) };
}

export interface KeyQuery {
  status?: KeyStatus;
  scope?: Scope;
  /** A text to find in name, owner, contact, purpose, id or issuer, ignoring case and accents. */
  text?: string;
  /** Cursor: id of the last key of the previous page. */
  after?: string;
  limit: number;
}

/** Lists keys in order of issue, without their secrets. */
export async function listKeys(
  keys: KeyReader,
  actor: Actor,
  query: KeyQuery,
  now: Date,
): Promise<{ keys: Key[]; hasMore: boolean }> {
  requireScope(actor, "keys:manage");
  const found: Key[] = [];
  for await (const key of iterateKeysInIssueOrder(keys, query.after)) {
    if (!isWanted(key, query, now)) continue;
    if (found.length === query.limit) return { keys: found, hasMore: true };
    found.push(key);
  }
  return { keys: found, hasMore: false };
}

/** Reads one key, without its secret. @throws {AppError} `not_found`, `forbidden`. */
export async function inspectKey(keys: KeyReader, actor: Actor, id: string): Promise<Key> {
  requireScope(actor, "keys:manage");
  return await requireExistingKey(keys, id);
}

function isWanted(key: Key, { status, scope, text = "" }: KeyQuery, now: Date): boolean {
  if (status !== undefined && keyStatus(key, now) !== status) return false;
  if (scope !== undefined && !key.scopes.includes(scope)) return false;
  if (text.trim() === "") return true;
  const texts = [key.name, key.owner, key.contact, key.purpose, key.id, key.createdBy];
  return foldText(texts.join("\n")).includes(foldText(text.trim()));
}
