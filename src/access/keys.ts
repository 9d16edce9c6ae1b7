import { createHash, timingSafeEqual } from "node:crypto";
import { AppError } from "../errors.ts";
import { type Actor, actorName, requireScope, type Scope } from "./actor.ts";
import type { AuditEntry } from "./audit.ts";
import { hasKeyChecksum, mintKey } from "./key-format.ts";
import { contains, networkFaults } from "./networks.ts";

const RATE_PER_MINUTE_DEFAULT = 60;
const RATE_PER_MINUTE_MAX = 100_000;

/** What the record tells of an access key; the key itself is known to its holder only. */
export interface Key {
  id: string;
  name: string;
  owner: string;
  contact: string;
  purpose: string;
  scopes: readonly Scope[];
  ratePerMinute: number;
  /** CIDR blocks the key may be used from; none: from anywhere. */
  networks: readonly string[];
  /** ISO 8601, UTC, as all times. */
  expiresAt: string | null;
  createdAt: string;
  createdBy: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  revokedWhy: string | null;
  /** The key this one takes the place of. */
  rotatedFrom: string | null;
}

export interface KeyInput {
  name: string;
  scopes: readonly Scope[];
  owner?: string;
  contact?: string;
  purpose?: string;
  ratePerMinute?: number;
  networks?: readonly string[];
  expiresAt?: Date;
}

/** A key at the only moment it is known to us. */
export interface IssuedKey {
  key: string;
  record: Key;
}

/** A key with what proves it: its SHA-256 as 64 hexadecimal digits. */
export interface ProvableKey {
  key: Key;
  hash: string;
}

export interface KeyReader {
  byHash(hash: string): Promise<ProvableKey | null>;
  byId(id: string): Promise<Key | null>;
  /** In the order in which they were issued. */
  list(): Promise<Key[]>;
}

export interface KeyStore extends KeyReader {
  /** One transaction; inside it use only what it is given. */
  write<T>(change: (transaction: KeyTransaction) => Promise<T>): Promise<T>;
  /** Notes the use of a key, without a write: `saveUse` keeps it. */
  used(keyId: string, now: Date): void;
  /** Keeps when keys were last used, to the minute; writes nothing when there is no news. */
  saveUse(): Promise<void>;
}

export interface KeyTransaction extends KeyReader {
  newId(now: Date): string;
  insert(key: ProvableKey, entry: AuditEntry): Promise<void>;
  update(key: Key, entry: AuditEntry): Promise<void>;
}

/** Issues a key. @throws {AppError} `invalid`, naming what is wrong with the input. */
export async function issueKey(
  keys: KeyStore,
  actor: Actor,
  input: KeyInput,
  now: Date,
): Promise<IssuedKey> {
  requireScope(actor, "keys:manage");
  checkInput(input, now);
  const key = mintKey();
  return await keys.write(async (transaction) => {
    const record: Key = {
      id: transaction.newId(now),
      name: input.name,
      owner: input.owner ?? "",
      contact: input.contact ?? "",
      purpose: input.purpose ?? "",
      scopes: input.scopes,
      ratePerMinute: input.ratePerMinute ?? RATE_PER_MINUTE_DEFAULT,
      networks: input.networks ?? [],
      expiresAt: input.expiresAt?.toISOString() ?? null,
      createdAt: now.toISOString(),
      createdBy: actorName(actor),
      lastUsedAt: null,
      revokedAt: null,
      revokedWhy: null,
      rotatedFrom: null,
    };
    const entry = entryOf("key.issue", record, { actor, now });
    await transaction.insert({ key: record, hash: hashKey(key) }, entry);
    return { key, record };
  });
}

/** All keys, never the secrets themselves. */
export async function listKeys(keys: KeyStore, actor: Actor): Promise<Key[]> {
  requireScope(actor, "keys:manage");
  return await keys.list();
}

/** From now on the key opens nothing. Revoking again changes nothing. */
export async function revokeKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { now, why }: { now: Date; why: string },
): Promise<Key> {
  requireScope(actor, "keys:manage");
  return await keys.write(async (transaction) => {
    const key = await existing(transaction, id);
    if (key.revokedAt !== null) return key;
    const revoked: Key = { ...key, revokedAt: now.toISOString(), revokedWhy: why };
    await transaction.update(revoked, entryOf("key.revoke", revoked, { actor, now }));
    return revoked;
  });
}

/**
 * Issues a key with the same rights; the old one goes on working for the grace period.
 *
 * @throws {AppError} `conflict` when the old key works no longer.
 */
export async function rotateKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { now, graceSeconds }: { now: Date; graceSeconds: number },
): Promise<IssuedKey> {
  requireScope(actor, "keys:manage");
  const key = mintKey();
  return await keys.write(async (transaction) => {
    const old = await existing(transaction, id);
    const fault = faultOf(old, now);
    if (fault !== null) throw new AppError("conflict", `Cannot rotate "${old.name}": ${fault}`);
    const graceEnds = new Date(now.getTime() + graceSeconds * 1000).toISOString();
    const expiresAt =
      old.expiresAt !== null && old.expiresAt < graceEnds ? old.expiresAt : graceEnds;
    const replaced: Key = { ...old, expiresAt };
    const record: Key = {
      ...old,
      id: transaction.newId(now),
      createdAt: now.toISOString(),
      createdBy: actorName(actor),
      lastUsedAt: null,
      rotatedFrom: old.id,
    };
    await transaction.update(replaced, entryOf("key.expire", replaced, { actor, now }));
    const entry = entryOf("key.rotate", record, { actor, now });
    await transaction.insert({ key: record, hash: hashKey(key) }, entry);
    return { key, record };
  });
}

/**
 * Who sends this `Authorization` header from this address.
 *
 * @throws {AppError} `unauthenticated`; `problems` is empty when no key was sent at all, and tells
 * what is wrong with the one that was.
 */
export async function authenticate(
  keys: KeyStore,
  authorization: string | undefined,
  { now, address }: { now: Date; address: string },
): Promise<Actor> {
  const key = sentKey(authorization);
  const hash = hashKey(key);
  const found = hasKeyChecksum(key) ? await keys.byHash(hash) : null;
  if (found === null || !isSameHash(found.hash, hash)) throw refused("this key is not known");
  const record = found.key;
  const fault = faultOf(record, now);
  if (fault !== null) throw refused(fault);
  if (record.networks.length > 0 && !contains(record.networks, address)) {
    throw refused("this key may not be used from your network address");
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
  };
}

function sentKey(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === "") {
    throw new AppError("unauthenticated", "No key was sent: send Authorization: Bearer <API_KEY>");
  }
  const [scheme, key, ...rest] = authorization.trim().split(/[ \t]+/);
  if (scheme?.toLowerCase() !== "bearer") {
    throw refused("the Authorization header must start with Bearer");
  }
  if (key === undefined || rest.length > 0) {
    throw refused("exactly one key must follow the word Bearer");
  }
  return key;
}

function refused(fault: string): AppError {
  return new AppError("unauthenticated", `The key was refused: ${fault}`, {
    problems: [{ where: "Authorization", message: fault }],
  });
}

/** Why a key opens nothing now; null: it does. */
function faultOf(key: Key, now: Date): string | null {
  if (key.revokedAt !== null) return "this key was revoked";
  if (key.expiresAt !== null && key.expiresAt <= now.toISOString()) {
    return `this key expired at ${key.expiresAt}`;
  }
  return null;
}

function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, "hex"), Buffer.from(other, "hex"));
}

async function existing(reader: KeyReader, id: string): Promise<Key> {
  const key = await reader.byId(id);
  if (key === null) throw new AppError("not_found", `There is no key with the id ${id}`);
  return key;
}

function checkInput(input: KeyInput, now: Date): void {
  const rate = input.ratePerMinute ?? RATE_PER_MINUTE_DEFAULT;
  const problems = networkFaults(input.networks ?? []);
  if (input.name.trim() === "") problems.push({ where: "name", message: "is empty" });
  if (input.scopes.length === 0) {
    problems.push({ where: "scopes", message: "a key without a scope opens nothing" });
  }
  if (!Number.isInteger(rate) || rate < 1 || rate > RATE_PER_MINUTE_MAX) {
    problems.push({
      where: "ratePerMinute",
      message: `give a whole number from 1 to ${RATE_PER_MINUTE_MAX}`,
    });
  }
  if (input.expiresAt !== undefined && input.expiresAt <= now) {
    problems.push({ where: "expiresAt", message: "lies in the past" });
  }
  if (problems.length === 0) return;
  const told = problems.map(({ where, message }) => `${where}: ${message}`).join("; ");
  throw new AppError("invalid", `Cannot issue a key: ${told}`, { problems });
}

function entryOf(
  action: string,
  key: Key,
  { actor, now }: { actor: Actor; now: Date },
): AuditEntry {
  return {
    at: now.toISOString(),
    actor: actorName(actor),
    action,
    target: key.id,
    revisionBefore: null,
    revisionAfter: null,
    requestId: null,
  };
}
