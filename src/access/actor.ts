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
 * The caller. An `operator` runs commands on the machine and needs no key; the `clock` runs
 * scheduled changes.
 */
export type Actor =
  | { kind: "visitor" }
  | { kind: "operator" }
  | { kind: "clock" }
  | KeyActor
  | PersonActor;

/** An administrator with a session. */
export interface PersonActor {
  kind: "person";
  adminId: string;
  name: string;
  /** Of the person's current role. */
  scopes: readonly Scope[];
  /** Whether the password was entered within the last 15 minutes. */
  isConfirmed: boolean;
}

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
  /** Tools the key may call; empty: all. */
  tools: readonly string[];
}

/** Scopes that a stolen session must not be able to use for long. */
const CONFIRMED_SCOPES: ReadonlySet<Scope> = new Set(["keys:manage", "admins:manage"]);

/**
 * @throws {AppError} `forbidden`, naming the scope; `unauthenticated` for a visitor; `unconfirmed` when a
 * person has to enter the password again.
 */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === "operator" || actor.kind === "clock") return;
  if (actor.kind === "visitor") throw new AppError("unauthenticated", "This needs a key");
  if (!actor.scopes.includes(scope)) {
    const subject = actor.kind === "key" ? "This key" : "Your role";
    throw new AppError("forbidden", `${subject} lacks the scope ${scope}`);
  }
  if (CONFIRMED_SCOPES.has(scope)) requireConfirmed(actor);
}

/** @throws {AppError} `unconfirmed` when a person has to enter the password again. */
export function requireConfirmed(actor: Actor): void {
  if (actor.kind !== "person" || actor.isConfirmed) return;
  throw new AppError(
    "unconfirmed",
    "Enter your password again: this needs one entered within the last 15 minutes",
  );
}

/** The actor's name in the audit log. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "key":
      return `key:${actor.keyId}`;
    case "person":
      return `person:${actor.adminId}`;
    default:
      return actor.kind;
  }
}
