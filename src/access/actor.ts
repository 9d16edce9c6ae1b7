import { AppError } from "../errors.ts";

/** Everything a key may be allowed to do. `mcp:read` opens the MCP service and nothing else. */
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

/** Who asks. `operator` is whoever may run commands on the machine; no secret is needed for that. */
export type Actor = { kind: "visitor" } | { kind: "operator" } | KeyActor;

export interface KeyActor {
  kind: "key";
  keyId: string;
  name: string;
  scopes: readonly Scope[];
  ratePerMinute: number;
  /** ISO 8601, UTC; null: never. */
  expiresAt: string | null;
  /** CIDR blocks it may be used from; none: from anywhere. */
  networks: readonly string[];
}

/** @throws {AppError} `forbidden`, naming the scope, or `unauthenticated` for a visitor. */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === "operator") return;
  if (actor.kind === "visitor") throw new AppError("unauthenticated", "This needs a key");
  if (!actor.scopes.includes(scope)) {
    throw new AppError("forbidden", `This key lacks the scope ${scope}`);
  }
}

/** How the audit log names an actor. */
export function actorName(actor: Actor): string {
  return actor.kind === "key" ? `key:${actor.keyId}` : actor.kind;
}
