import { AppError } from "../../errors.ts";
import { newId } from "../../new-id.ts";
import { foldText } from "../../search/language/folding.ts";
import { type Actor, actorName, requireScope } from "../actor.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { redactIssuedSecrets } from "../credentials.ts";
import { requireGrantableRights } from "./grants.ts";
import {
  type KeyAttributes,
  normalizeKeyAttributes,
  requireValidKeyAttributes,
} from "./key-attributes.ts";
import { hashSecret, mintKey } from "./key-format.ts";
import {
  describeKeyError,
  type IssuedKey,
  iterateKeysInIssueOrder,
  type Key,
  type KeyStore,
  type KeyTransaction,
  readReplacementChain,
  requireExistingKey,
} from "./keys.ts";

export const ROTATION_GRACE_SECONDS_DEFAULT = 24 * 60 * 60;
export const ROTATION_GRACE_SECONDS_MAX = 90 * ROTATION_GRACE_SECONDS_DEFAULT;
const WHY_CHARACTERS_MAX = 500;

/** Omitted members stay unchanged. */
export type KeyChange = Partial<KeyAttributes>;

/**
 * Changes a key. New rights take effect immediately.
 *
 * @throws {AppError} `conflict` for a revoked key, `invalid` for invalid input, `forbidden` when the key
 * has rights, before or after the change, that the actor cannot grant.
 */
export async function changeKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { change, ...context }: { change: KeyChange } & ChangeContext,
): Promise<Key> {
  requireScope(actor, "keys:manage");
  return await keys.write(async (transaction) => {
    const before = await requireExistingKey(transaction, id);
    if (before.revokedAt !== null) {
      throw new AppError("conflict", {
        en: `Cannot change "${before.name}": this key was revoked, and stays so; issue another`,
        de: `„${before.name}“ lässt sich nicht ändern: Der Schlüssel ist widerrufen, und das bleibt so. Geben Sie einen neuen aus`,
      });
    }
    const requested: Key = { ...before, ...normalizeKeyAttributes({ ...before, ...change }) };
    const keepsExpiry = requested.expiresAt === before.expiresAt;
    const after: Key = { ...requested, remindedAt: keepsExpiry ? before.remindedAt : null };
    const changes = changedProperties(before, after);
    if (changes.length === 0) return before;
    requireValidKeyAttributes(statementToCheck(before, after), context.now, {
      en: `Cannot change "${before.name}"`,
      de: `„${before.name}“ lässt sich nicht ändern`,
    });
    requireGrantableRights(actor, before);
    requireGrantableRights(actor, after);
    const detail = changes.join("; ");
    await transaction.update(after, {
      ...auditEntryForChange("key.change", after.id, { actor, ...context }),
      detail,
    });
    return after;
  });
}

/**
 * Issues a new key with the same rights. The old key works until the grace period ends.
 *
 * @throws {AppError} `conflict` when the old key no longer works or was replaced already; `forbidden` when
 * it has rights that the actor cannot grant, because the actor receives the new key.
 */
export async function rotateKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { graceSeconds, ...context }: { graceSeconds: number } & ChangeContext,
): Promise<IssuedKey> {
  requireScope(actor, "keys:manage");
  checkGracePeriod(graceSeconds);
  const { now } = context;
  const key = mintKey();
  return await keys.write(async (transaction) => {
    const old = await requireExistingKey(transaction, id);
    const fault = describeKeyError(old, now);
    if (fault !== null)
      throw new AppError("conflict", {
        en: `Cannot rotate "${old.name}": ${fault.en}`,
        de: `„${old.name}“ lässt sich nicht ersetzen: ${fault.de}. Geben Sie einen neuen aus`,
      });
    requireGrantableRights(actor, old);
    const newest = await readNewestOrThrow(transaction, old);
    const graceEnd = new Date(now.getTime() + graceSeconds * 1000).toISOString();
    const expiresAt = old.expiresAt !== null && old.expiresAt < graceEnd ? old.expiresAt : graceEnd;
    // Records the reminder for the old key as sent, because the holder already has the new key.
    const replaced: Key = { ...old, expiresAt, remindedAt: now.toISOString() };
    const record: Key = {
      ...old,
      expiresAt: newest.expiresAt,
      id: newId(now),
      createdAt: now.toISOString(),
      createdBy: actorName(actor),
      lastUsedAt: null,
      rotatedFrom: old.id,
      remindedAt: null,
    };
    await transaction.update(replaced, {
      ...auditEntryForChange("key.expire", replaced.id, { actor, ...context }),
      detail: `expiresAt: ${expiresAt}`,
    });
    await transaction.insert(
      { key: record, hash: hashSecret(key) },
      {
        ...auditEntryForChange("key.rotate", record.id, { actor, ...context }),
        detail: `in place of ${old.id}`,
      },
    );
    return { key, record };
  });
}

/**
 * Returns the newest key in the place of `old`: `old` itself, or a replacement that was revoked. Only the newest
 * key has the expiry that was chosen for it; in the others it is the end of a grace period.
 *
 * @throws {AppError} `conflict` for a replacement that was not revoked.
 */
async function readNewestOrThrow(keys: KeyTransaction, old: Key): Promise<Key> {
  const newest = (await readReplacementChain(keys, old.id)).at(-1) ?? old;
  if (newest.id === old.id || newest.revokedAt !== null) return newest;
  throw new AppError("conflict", {
    en: `Cannot rotate "${old.name}": it was replaced by the key ${newest.id} already; rotate that one, or issue another`,
    de: `„${old.name}“ lässt sich nicht noch einmal ersetzen: An seine Stelle ist schon ein anderer Schlüssel getreten. Ersetzen Sie den neueren, oder geben Sie einen neuen aus`,
  });
}

/** Revokes a key permanently. Idempotent. */
export async function revokeKey(
  keys: KeyStore,
  actor: Actor,
  id: string,
  { why, ...context }: { why: string } & ChangeContext,
): Promise<Key> {
  requireScope(actor, "keys:manage");
  const reason = checkedReason(why);
  return await keys.write(async (transaction) => {
    const key = await requireExistingKey(transaction, id);
    return key.revokedAt === null
      ? await revoke(transaction, key, { reason, actor, ...context })
      : key;
  });
}

/**
 * Revokes every active key whose contact or owner is `holder`, ignoring case and accents.
 *
 * @returns the revoked keys, in order of issue.
 * @throws {AppError} `invalid` for an empty holder, or a reason that is too long.
 */
export async function revokeKeysOfHolder(
  keys: KeyStore,
  actor: Actor,
  holder: string,
  { why, ...context }: { why: string } & ChangeContext,
): Promise<Key[]> {
  requireScope(actor, "keys:manage");
  const reason = checkedReason(why);
  const foldedHolder = foldText(holder.trim());
  // Refuses an empty holder, because it would match every key without a contact or owner.
  if (foldedHolder === "")
    throw new AppError("invalid", {
      en: "Cannot revoke keys: the holder is empty",
      de: "Es lassen sich keine Schlüssel widerrufen: Der Inhaber fehlt",
    });
  return await keys.write(async (transaction) => {
    const revoked: Key[] = [];
    for await (const key of iterateKeysInIssueOrder(transaction)) {
      const isHeld = [key.contact, key.owner].some((text) => foldText(text) === foldedHolder);
      if (!isHeld || describeKeyError(key, context.now) !== null) continue;
      revoked.push(await revoke(transaction, key, { reason, actor, ...context }));
    }
    return revoked;
  });
}

async function revoke(
  transaction: KeyTransaction,
  key: Key,
  { reason, actor, ...context }: { reason: string; actor: Actor } & ChangeContext,
): Promise<Key> {
  const revoked: Key = { ...key, revokedAt: context.now.toISOString(), revokedWhy: reason };
  await transaction.update(
    revoked,
    auditEntryForChange("key.revoke", revoked.id, { actor, ...context }),
  );
  return revoked;
}

/**
 * Returns the reason with secrets redacted.
 *
 * @throws {AppError} `invalid` for a reason that is too long.
 */
function checkedReason(why: string): string {
  const reason = redactIssuedSecrets(why.trim());
  if (reason.length <= WHY_CHARACTERS_MAX) return reason;
  const message = {
    en: `is longer than ${WHY_CHARACTERS_MAX} characters`,
    de: `ist länger als ${WHY_CHARACTERS_MAX} Zeichen`,
  };
  throw new AppError(
    "invalid",
    {
      en: `Cannot revoke a key: the reason ${message.en}`,
      de: `Der Schlüssel lässt sich nicht widerrufen: Die Begründung ${message.de}`,
    },
    {
      problems: [{ where: "why", message }],
    },
  );
}

/**
 * Lists changed members for the audit log. Omits the values of free texts, because the log is
 * permanent.
 */
function changedProperties(before: Key, after: Key): string[] {
  const changes: string[] = [];
  for (const field of ["name", "owner", "contact", "purpose"] as const) {
    if (after[field] !== before[field]) changes.push(field);
  }
  for (const field of ["scopes", "networks", "tools"] as const) {
    const values = after[field].join(", ");
    if (values !== before[field].join(", ")) changes.push(`${field}: ${values || "any"}`);
  }
  for (const field of ["ratePerMinute", "expiresAt"] as const) {
    if (after[field] !== before[field]) changes.push(`${field}: ${after[field] ?? "never"}`);
  }
  return changes;
}

/**
 * Returns the attributes to validate. Leaves out an unchanged expiry, so that an expired key can
 * still be renamed.
 */
function statementToCheck(before: Key, after: Key): KeyAttributes {
  return after.expiresAt === before.expiresAt ? { ...after, expiresAt: null } : after;
}

function checkGracePeriod(graceSeconds: number): void {
  if (
    Number.isInteger(graceSeconds) &&
    graceSeconds >= 0 &&
    graceSeconds <= ROTATION_GRACE_SECONDS_MAX
  ) {
    return;
  }
  const message = {
    en: `must be a whole number of seconds from 0 to ${ROTATION_GRACE_SECONDS_MAX} (90 days)`,
    de: "ist eine ganze Zahl von Sekunden, höchstens 90 Tage",
  };
  throw new AppError(
    "invalid",
    {
      en: `Cannot rotate a key: the grace period ${message.en}`,
      de: `Der Schlüssel lässt sich nicht ersetzen: Die Übergangszeit ${message.de}`,
    },
    {
      problems: [{ where: "graceSeconds", message }],
    },
  );
}
