import { timingSafeEqual } from "node:crypto";
import { AppError, englishOnlyWording, type Wording } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { type Actor, actorName, requireScope, type Scope } from "../actor.ts";
import { type AuditEntry, auditEntryForChange } from "../audit.ts";
import { requireGrantableRights } from "./grants.ts";
import {
  type KeyAttributes,
  normalizeKeyAttributes,
  RATE_PER_MINUTE_DEFAULT,
  requireValidKeyAttributes,
} from "./key-attributes.ts";
import { hashSecret, hasKeyChecksum, mintKey } from "./key-format.ts";
import { anyNetworkContains } from "./networks.ts";

/** Matches an `Authorization` header in its usual form. Other forms are parsed more slowly. */
const PLAIN_AUTHORIZATION = /^Bearer ([!-~]+)$/;

const KEYS_READ_AT_ONCE = 200;

/** A stored access key, without its secret. */
export interface Key extends KeyAttributes {
  id: string;
  /** ISO 8601, UTC, like all times here. */
  createdAt: string;
  createdBy: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  revokedWhy: string | null;
  /** Id of the key that this key replaced; null if this key replaced none. */
  rotatedFrom: string | null;
  /** When the holder was reminded of the expiry. */
  remindedAt: string | null;
}

export const KEY_STATUSES = ["active", "expired", "revoked"] as const;

export type KeyStatus = (typeof KEY_STATUSES)[number];

export interface NewKeyInput {
  name: string;
  scopes: readonly Scope[];
  owner?: string;
  contact?: string;
  purpose?: string;
  ratePerMinute?: number;
  networks?: readonly string[];
  tools?: readonly string[];
  expiresAt?: Date;
}

/** A new key with its secret. The secret is never available again. */
export interface IssuedKey {
  key: string;
  record: Key;
}

/** A key with the SHA-256 of its secret, as 64 hexadecimal digits. */
export interface KeyWithHash {
  key: Key;
  hash: string;
}

export interface KeyReader {
  byHash(hash: string): Promise<KeyWithHash | null>;
  byId(id: string): Promise<Key | null>;
  /** The keys that replaced the key with this id, in order of issue. */
  replacementsOf(id: string): Promise<Key[]>;
  /** Keys in order of issue, after the id `after`; null: from the first key on. */
  page(options: { after: string | null; limit: number }): Promise<Key[]>;
  /**
   * At most `limit` keys that expire between `after` and `until`, are not revoked, and whose
   * holders have not been reminded of the expiry.
   */
  expiring(period: { after: Date; until: Date }, limit: number): Promise<Key[]>;
}

export interface KeyStore extends KeyReader {
  /** Runs one transaction; inside it, use only the `transaction` argument. */
  write<T>(change: (transaction: KeyTransaction) => Promise<T>): Promise<T>;
  /** Records in memory that a key was used at this time. {@link KeyStore.saveUse} saves the time. */
  used(keyId: string, now: Date): void;
  /** Saves when keys were last used, to the minute. Writes nothing if no key was used. */
  saveUse(): Promise<void>;
}

export interface KeyTransaction extends KeyReader {
  insert(key: KeyWithHash, entry: AuditEntry): Promise<void>;
  update(key: Key, entry: AuditEntry): Promise<void>;
}

/**
 * Issues a key.
 *
 * @throws {AppError} `invalid`, listing every fault; `forbidden` when the actor cannot grant these rights.
 */
export async function issueKey(
  keys: KeyStore,
  actor: Actor,
  input: NewKeyInput,
  now: Date,
  { requestId }: { requestId?: string | undefined } = {},
): Promise<IssuedKey> {
  requireScope(actor, "keys:manage");
  const statement = normalizeKeyAttributes({
    name: input.name,
    owner: input.owner ?? "",
    contact: input.contact ?? "",
    purpose: input.purpose ?? "",
    scopes: input.scopes,
    ratePerMinute: input.ratePerMinute ?? RATE_PER_MINUTE_DEFAULT,
    networks: input.networks ?? [],
    tools: input.tools ?? [],
    expiresAt: input.expiresAt?.toISOString() ?? null,
  });
  requireValidKeyAttributes(statement, now, {
    en: "Cannot issue a key",
    de: "So lässt sich kein Schlüssel ausstellen",
  });
  requireGrantableRights(actor, statement);
  const key = mintKey();
  return await keys.write(async (transaction) => {
    const record: Key = {
      id: newId(now),
      ...statement,
      createdAt: now.toISOString(),
      createdBy: actorName(actor),
      lastUsedAt: null,
      revokedAt: null,
      revokedWhy: null,
      rotatedFrom: null,
      remindedAt: null,
    };
    const detail = `scopes: ${record.scopes.join(", ")}`;
    const entry = {
      ...auditEntryForChange("key.issue", record.id, { actor, now, requestId }),
      detail,
    };
    await transaction.insert({ key: record, hash: hashSecret(key) }, entry);
    return { key, record };
  });
}

export function keyStatus(key: Key, now: Date): KeyStatus {
  if (key.revokedAt !== null) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now.toISOString() ? "expired" : "active";
}

/** Why the key does not work now; null: the key works. */
export function describeKeyError(key: Key, now: Date): Wording | null {
  switch (keyStatus(key, now)) {
    case "revoked":
      return { en: "this key was revoked", de: "Er ist widerrufen" };
    case "expired":
      return { en: `this key expired at ${key.expiresAt}`, de: "Er ist abgelaufen" };
    case "active":
      return null;
  }
}

/** @throws {AppError} `not_found`. */
export async function requireExistingKey(reader: KeyReader, id: string): Promise<Key> {
  const key = await reader.byId(id);
  if (key === null)
    throw new AppError("not_found", {
      en: `There is no key with the id ${id}`,
      de: "Diesen Schlüssel gibt es nicht: Suchen Sie ihn in der Liste der Schlüssel",
    });
  return key;
}

/**
 * Reads a key and all keys that replaced it, directly or through other keys, in order of issue. The list is
 * empty if there is no key with the id.
 */
export async function readReplacementChain(reader: KeyReader, id: string): Promise<Key[]> {
  const first = await reader.byId(id);
  const chain = first === null ? [] : [first];
  for (const key of chain) chain.push(...(await reader.replacementsOf(key.id)));
  return chain.sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** Yields keys in order of issue, after the id `after`; null: from the first key on. */
export async function* iterateKeysInIssueOrder(
  reader: KeyReader,
  after: string | null = null,
): AsyncGenerator<Key> {
  for (let last = after; ; ) {
    const page: Key[] = await reader.page({ after: last, limit: KEYS_READ_AT_ONCE });
    yield* page;
    if (page.length < KEYS_READ_AT_ONCE) return;
    last = page.at(-1)?.id ?? null;
  }
}

/**
 * Identifies the caller from the `Authorization` header, and checks that the key may be used from the
 * address.
 *
 * @throws {AppError} `unauthenticated`; `problems` is empty when no key was sent, and otherwise lists what
 * is wrong with the key.
 */
export async function authenticate(
  keys: KeyStore,
  authorization: string | undefined,
  { now, address }: { now: Date; address: string },
): Promise<Actor> {
  const key = parseBearerKey(authorization);
  const hash = hashSecret(key);
  const found = hasKeyChecksum(key) ? await keys.byHash(hash) : null;
  if (found === null || !isSameHash(found.hash, hash)) throw keyRefusal("this key is not known");
  const record = found.key;
  const fault = describeKeyError(record, now);
  if (fault !== null) throw keyRefusal(fault.en);
  if (record.networks.length > 0 && !anyNetworkContains(record.networks, address)) {
    throw keyRefusal("this key may not be used from your network address");
  }
  keys.used(record.id, now);
  return {
    kind: "key",
    keyId: record.id,
    name: record.name,
    scopes: record.scopes,
    ratePerMinute: record.ratePerMinute,
    expiresAt: record.expiresAt,
    networks: record.networks,
    tools: record.tools,
  };
}

/**
 * Extracts the key from an Authorization header.
 *
 * @throws {AppError} `unauthenticated` unless the header consists of `Bearer` and one key.
 */
export function parseBearerKey(authorization: string | undefined): string {
  const [, plain] = PLAIN_AUTHORIZATION.exec(authorization ?? "") ?? [];
  if (plain !== undefined) return plain;
  if (authorization === undefined || authorization.trim() === "") {
    throw new AppError(
      "unauthenticated",
      englishOnlyWording("No key was sent: send Authorization: Bearer <API_KEY>"),
    );
  }
  const [scheme, key, ...rest] = authorization.trim().split(/[ \t]+/);
  if (scheme?.toLowerCase() !== "bearer") {
    throw keyRefusal("the Authorization header must start with Bearer");
  }
  if (key === undefined || rest.length > 0) {
    throw keyRefusal("exactly one key must follow the word Bearer");
  }
  return key;
}

function keyRefusal(fault: string): AppError {
  return new AppError("unauthenticated", englishOnlyWording(`The key was refused: ${fault}`), {
    problems: [{ where: "Authorization", message: englishOnlyWording(fault) }],
  });
}

function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, "hex"), Buffer.from(other, "hex"));
}
