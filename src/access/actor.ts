import { AppError } from "../errors.ts";

/** Every scope a key can have. `mcp:read` opens the MCP service only. */
export const SCOPES = [
  "mcp:read",
  "content:read",
  "content:write",
  "content:publish",
  "media:write",
  "keys:manage",
  "requests:manage",
  "settings:write",
  "admins:manage",
  "audit:read",
  "webhooks:manage",
  "transfer:run",
  "metrics:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/**
 * The caller. An `operator` runs commands on the machine and needs no key; the `clock` does what was
 * scheduled.
 */
export type Actor = { kind: "visitor" } | { kind: "operator" } | { kind: "clock" } | KeyActor;

export interface KeyActor {
  kind: "key";
  keyId: string;
  name: string;
  scopes: readonly Scope[];
  ratePerMinute: number;
  /** ISO 8601, UTC; null: never expires. */
  expiresAt: string | null;
  /** CIDR blocks the key may be used from; empty: any network. */
  networks: readonly string[];
}

/** @throws {AppError} `forbidden`, naming the scope, or `unauthenticated` for a visitor. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === "operator" || actor.kind === "clock") return;
  if (actor.kind === "visitor") throw new AppError("unauthenticated", "This needs a key");
  if (!actor.scopes.includes(scope)) {
    throw new AppError("forbidden", `This key lacks the scope ${scope}`);
  }
}

/** The actor's name in the audit log. */
export function actorName(actor: Actor): string {
  return actor.kind === "key" ? `key:${actor.keyId}` : actor.kind;
}
