import { AppError } from "../../errors.ts";
import { type Actor, actorName, requireScope } from "../actor.ts";
import { changeEntry } from "../audit.ts";
import { redactSecrets } from "../credentials.ts";
import { requireMayGrant } from "./grants.ts";
import { hashSecret, mintKey } from "./key-format.ts";
import { checkStatement, type KeyStatement, tidied } from "./key-statement.ts";
import { existingKey, type IssuedKey, type Key, type KeyStore, keyFault } from "./keys.ts";

export const GRACE_SECONDS_DEFAULT = 24 * 60 * 60;
export const GRACE_SECONDS_MAX = 90 * GRACE_SECONDS_DEFAULT;
const WHY_CHARACTERS_MAX = 500;

interface Moment {
  now: Date;
  requestId?: string | null;
}

/** What is not said stays as it is. */
export type KeyChange = Partial<KeyStatement>;

/**
 * Says something else of a key; what it opens follows at once.
 *
 * @throws {AppError} `conflict` for a revoked key, `invalid` for a wrong statement, `forbidden` when
 * the key may do, before or after, what the actor cannot grant.
 */
export async function changeKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { change, ...moment }: { change: KeyChange } & Moment,
): Promise<Key> {
  requireScope(actor, "keys:manage");
  return await keys.write(async (transaction) => {
    const before = await existingKey(transaction, id);
    if (before.revokedAt !== null) {
      throw new AppError(
        "conflict",
        `Cannot change "${before.name}": this key was revoked, and stays so; issue another`,
      );
    }
    const after: Key = { ...before, ...tidied({ ...before, ...change }) };
    const changes = changesOf(before, after);
    if (changes.length === 0) return before;
    checkStatement(statementToCheck(before, after), moment.now, `Cannot change "${before.name}"`);
    requireMayGrant(actor, before);
    requireMayGrant(actor, after);
    const detail = changes.join("; ");
    await transaction.update(after, {
      ...changeEntry("key.change", after.id, { actor, ...moment }),
      detail,
    });
    return after;
  });
}

/**
 * Issues a key with the same rights; the old one goes on working for the grace period.
 *
 * @throws {AppError} `conflict` when the old key works no longer, `forbidden` when it may do what the
 * actor cannot grant: the actor gets to see the new one.
 */
export async function rotateKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { graceSeconds, ...moment }: { graceSeconds: number } & Moment,
): Promise<IssuedKey> {
  requireScope(actor, "keys:manage");
  checkGrace(graceSeconds);
  const { now } = moment;
  const key = mintKey();
  return await keys.write(async (transaction) => {
    const old = await existingKey(transaction, id);
    const fault = keyFault(old, now);
    if (fault !== null) throw new AppError("conflict", `Cannot rotate "${old.name}": ${fault}`);
    requireMayGrant(actor, old);
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
    await transaction.update(replaced, {
      ...changeEntry("key.expire", replaced.id, { actor, ...moment }),
      detail: `expiresAt: ${expiresAt}`,
    });
    await transaction.insert(
      { key: record, hash: hashSecret(key) },
      {
        ...changeEntry("key.rotate", record.id, { actor, ...moment }),
        detail: `in place of ${old.id}`,
      },
    );
    return { key, record };
  });
}

/** From now on the key opens nothing. Revoking again changes nothing. */
export async function revokeKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { why, ...moment }: { why: string } & Moment,
): Promise<Key> {
  requireScope(actor, "keys:manage");
  const reason = redactSecrets(why.trim());
  if (reason.length > WHY_CHARACTERS_MAX) {
    const message = `is longer than ${WHY_CHARACTERS_MAX} characters`;
    throw new AppError("invalid", `Cannot revoke a key: the reason ${message}`, {
      problems: [{ where: "why", message }],
    });
  }
  return await keys.write(async (transaction) => {
    const key = await existingKey(transaction, id);
    if (key.revokedAt !== null) return key;
    const revoked: Key = { ...key, revokedAt: moment.now.toISOString(), revokedWhy: reason };
    await transaction.update(revoked, changeEntry("key.revoke", revoked.id, { actor, ...moment }));
    return revoked;
  });
}

/** What became different; of names and reasons only that they did, as the log is for ever. */
function changesOf(before: Key, after: Key): string[] {
  const changes: string[] = [];
  for (const field of ["name", "owner", "contact", "purpose"] as const) {
    if (after[field] !== before[field]) changes.push(field);
  }
  for (const field of ["scopes", "networks"] as const) {
    const values = after[field].join(", ");
    if (values !== before[field].join(", ")) changes.push(`${field}: ${values || "none"}`);
  }
  for (const field of ["ratePerMinute", "expiresAt"] as const) {
    if (after[field] !== before[field]) changes.push(`${field}: ${after[field] ?? "never"}`);
  }
  return changes;
}

/** An expired key may be given another name, for it goes on standing in lists. */
function statementToCheck(before: Key, after: Key): KeyStatement {
  return after.expiresAt === before.expiresAt ? { ...after, expiresAt: null } : after;
}

function checkGrace(graceSeconds: number): void {
  if (Number.isInteger(graceSeconds) && graceSeconds >= 0 && graceSeconds <= GRACE_SECONDS_MAX) {
    return;
  }
  const message = `must be a whole number of seconds from 0 to ${GRACE_SECONDS_MAX} (90 days)`;
  throw new AppError("invalid", `Cannot rotate a key: the grace period ${message}`, {
    problems: [{ where: "graceSeconds", message }],
  });
}
