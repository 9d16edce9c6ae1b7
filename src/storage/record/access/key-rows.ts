import type { Key } from "../../../access/keys/keys.ts";
import type { KeyRow } from "../tables.ts";

/** The key that a row of the table `keys` stores. */
export function keyFromRow(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    owner: row.owner,
    contact: row.contact,
    purpose: row.purpose,
    scopes: JSON.parse(row.scopes),
    ratePerMinute: row.rate_per_minute,
    networks: JSON.parse(row.networks),
    tools: JSON.parse(row.tools),
    expiresAt: row.expires_at,
    createdAt: row.created_at,
    createdBy: row.created_by,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    revokedWhy: row.revoked_why,
    rotatedFrom: row.rotated_from,
    remindedAt: row.reminded_at,
  };
}

/** The columns that store a key, without its hash. */
export function keyToRow(key: Key): Omit<KeyRow, "hash"> {
  return {
    id: key.id,
    name: key.name,
    owner: key.owner,
    contact: key.contact,
    purpose: key.purpose,
    scopes: JSON.stringify(key.scopes),
    rate_per_minute: key.ratePerMinute,
    networks: JSON.stringify(key.networks),
    expires_at: key.expiresAt,
    created_at: key.createdAt,
    created_by: key.createdBy,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
    revoked_why: key.revokedWhy,
    rotated_from: key.rotatedFrom,
    tools: JSON.stringify(key.tools),
    reminded_at: key.remindedAt,
  };
}
