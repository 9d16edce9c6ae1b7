import { AppError } from "../../errors.ts";
import { type Actor, requireScope, type Scope } from "../actor.ts";
import type { Period } from "../days.ts";
import { changeKey } from "./key-changes.ts";
import type { KeyUseStore } from "./key-use.ts";
import { existingKey, type Key, type KeyStore } from "./keys.ts";

/** The scopes that routes and tools require, to decide which scopes of a key were used. */
export interface UseNeeds {
  /** The scope that a counted route or tool requires; null: none, or it no longer exists. */
  scopeOf(use: string): Scope | null;
  /** Names of all tools. */
  toolNames: readonly string[];
}

/** Scopes that a use may need in addition to that of its route. The counts do not show whether it did. */
const ALSO_NEEDED: Partial<Record<Scope, readonly Scope[]>> = {
  "content:write": ["content:publish"],
  "transfer:run": ["content:write", "content:publish"],
};
/**
 * A key that used one of these keeps all its scopes, since it can grant only those it has itself.
 */
const GRANTING_SCOPES: readonly Scope[] = ["keys:manage", "requests:manage", "admins:manage"];
/** Uses of these scopes are not counted, so a key always keeps them. */
const NOT_COUNTED: readonly Scope[] = ["metrics:read"];

/**
 * Removes the scopes and tools that a key did not use in a period. Call within a transaction.
 *
 * @throws {AppError} `conflict` when it was not used at all; otherwise as `changeKey`.
 */
export async function narrowKey(
  { keys, keyUse }: { keys: KeyStore; keyUse: KeyUseStore },
  actor: Actor,
  id: string,
  {
    period,
    needs,
    ...moment
  }: { period: Period; needs: UseNeeds; now: Date; requestId?: string | null },
): Promise<Key> {
  requireScope(actor, "keys:manage");
  const key = await existingKey(keys, id);
  const uses = (await keyUse.ofKey(id, period)).map(({ tool }) => tool);
  if (uses.length === 0) {
    throw new AppError("conflict", {
      en: `Cannot narrow "${key.name}": it was not used from ${period.since} to ${period.until}; revoke it, or choose a longer period`,
      de: `„${key.name}“ lässt sich nicht einschränken: Der Schlüssel wurde vom ${period.since} bis zum ${period.until} nicht benutzt. Widerrufen Sie ihn, oder wählen Sie einen längeren Zeitraum`,
    });
  }
  const scopes = usedScopes(key, uses, needs);
  const called = needs.toolNames.filter((name) => uses.includes(name));
  // A key that only read resources called no tool, but an empty list would allow all tools.
  const tools = called.length === 0 && scopes.includes("mcp:read") ? key.tools : called;
  return await changeKey(keys, actor, id, { change: { scopes, tools }, ...moment });
}

function usedScopes(key: Key, uses: readonly string[], needs: UseNeeds): Scope[] {
  const used = new Set<Scope>(NOT_COUNTED);
  for (const use of uses) {
    const scope = use.startsWith("api ") ? needs.scopeOf(use) : "mcp:read";
    if (scope === null) continue;
    used.add(scope);
    for (const also of ALSO_NEEDED[scope] ?? []) used.add(also);
  }
  if (GRANTING_SCOPES.some((scope) => used.has(scope))) return [...key.scopes];
  return key.scopes.filter((scope) => used.has(scope));
}
