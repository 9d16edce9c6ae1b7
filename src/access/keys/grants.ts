import { AppError, englishOnlyWording, type Wording } from "../../errors.ts";
import {
  type Actor,
  type KeyActor,
  requireRecentConfirmation,
  SCOPE_DESCRIPTIONS,
  type Scope,
} from "../actor.ts";
import { areNetworksWithin } from "./networks.ts";

/** The rights of a key: its scopes, its expiry and its networks. */
export interface KeyRights {
  scopes: readonly Scope[];
  /** ISO 8601, UTC; null: never expires. */
  expiresAt: string | null;
  /** CIDR blocks from which the key may be used. An empty list allows all networks. */
  networks: readonly string[];
}

/** Anyone who manages keys may grant this scope, because it covers only published content. */
const ALWAYS_GRANTABLE_SCOPE: Scope = "mcp:read";

/**
 * Checks that the actor may grant these rights. A key may always grant `mcp:read`. A key may grant other
 * scopes only if it has these scopes itself, and only within its own expiry and networks.
 *
 * @throws {AppError} `forbidden`, naming what the actor lacks; `unconfirmed` when a person has to enter the
 * password again.
 */
export function requireGrantableRights(actor: Actor, grant: KeyRights): void {
  requireGrantableScopes(actor, grant.scopes);
  if (actor.kind !== "key" || grant.scopes.every((scope) => scope === ALWAYS_GRANTABLE_SCOPE))
    return;
  const fault = boundFault(actor, grant);
  if (fault !== null)
    throw new AppError("forbidden", englishOnlyWording(`This key cannot grant that: ${fault}`));
}

/**
 * Checks that the actor may give these scopes to an account. Applies the rules of {@link requireGrantableRights},
 * except those on expiry and networks, which accounts do not have.
 */
export function requireGrantableScopes(actor: Actor, scopes: readonly Scope[]): void {
  if (actor.kind === "operator" || actor.kind === "clock") return;
  if (scopes.some((scope) => scope !== ALWAYS_GRANTABLE_SCOPE)) requireRecentConfirmation(actor);
  const held: readonly Scope[] = "scopes" in actor ? actor.scopes : [];
  const lacking = scopes.filter(
    (scope) => scope !== ALWAYS_GRANTABLE_SCOPE && !held.includes(scope),
  );
  if (lacking.length === 0) return;
  const refusal: Wording =
    actor.kind === "person"
      ? {
          en: `You cannot grant ${lacking.join(", ")}: your role lacks that itself. Ask an owner`,
          de: `Sie können nicht vergeben, was Ihre Rolle selbst nicht erlaubt (${lacking.map((scope) => SCOPE_DESCRIPTIONS[scope].de).join("; ")}): Bitten Sie eine Inhaberin oder einen Inhaber der Website`,
        }
      : englishOnlyWording(
          `This key cannot grant ${lacking.join(", ")}: it lacks that itself. Use a key that has it, or ask the operator`,
        );
  throw new AppError("forbidden", refusal);
}

function boundFault({ expiresAt, networks }: KeyActor, grant: KeyRights): string | null {
  if (expiresAt !== null && (grant.expiresAt === null || grant.expiresAt > expiresAt)) {
    return `it expires at ${expiresAt} itself; let the other expire no later`;
  }
  if (!areNetworksWithin(grant.networks, networks)) {
    return `it may be used from ${networks.join(", ")} only; give the other networks within these`;
  }
  return null;
}
