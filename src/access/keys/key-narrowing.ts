import { AppError } from "../../errors.ts";
import { type Actor, requireScope, type Scope } from "../actor.ts";
import type { ChangeContext } from "../audit.ts";
import type { UtcDayRange } from "../days.ts";
import { changeKey } from "./key-changes.ts";
import type { KeyUseStore } from "./key-use.ts";
import { type Key, type KeyStore, requireExistingKey } from "./keys.ts";

/** The rights that the counted uses of a key required. */
export interface KeyUseRequirements {
  /**
   * The scope that a counted route or tool requires; null if the route or tool requires no scope or no longer
   * exists.
   */
  scopeOf(use: string): Scope | null;
  /** Names of all tools. */
  toolNames: readonly string[];
}

/**
 * Further scopes that some requests need, keyed by the scope of the route. Uses are counted by route, so the
 * count does not show which requests needed a further scope. A key that used a route therefore keeps the
 * further scopes too.
 */
const ADDITIONAL_SCOPES: Partial<Record<Scope, readonly Scope[]>> = {
  "content:write": ["content:publish"],
  "content:publish": ["content:write"],
  "media:write": ["content:write", "content:publish"],
  "settings:write": ["content:write", "content:publish"],
  "transfer:run": ["content:write", "content:publish", "media:write"],
  "webhooks:manage": ["content:read", "audit:read"],
};
/**
 * A key that used one of these scopes keeps all its scopes. With fewer scopes, the key could no longer grant
 * the same scopes to others.
 */
const GRANTING_SCOPES: readonly Scope[] = ["keys:manage", "requests:manage", "admins:manage"];
/** Uses of these scopes are not counted, so a key always keeps these scopes. */
const NOT_COUNTED: readonly Scope[] = ["metrics:read"];

/**
 * Removes the scopes and tools that a key did not use in a period. Call within a transaction.
 *
 * @throws {AppError} `conflict` when the key was not used at all; also the errors of {@link changeKey}.
 */
export async function removeUnusedKeyRights(
  { keys, keyUse }: { keys: KeyStore; keyUse: KeyUseStore },
  actor: Actor,
  id: string,
  { period, needs, ...context }: { period: UtcDayRange; needs: KeyUseRequirements } & ChangeContext,
): Promise<Key> {
  requireScope(actor, "keys:manage");
  const key = await requireExistingKey(keys, id);
  const uses = (await keyUse.ofKey(id, period)).map(({ tool }) => tool);
  if (uses.length === 0) {
    throw new AppError("conflict", {
      en: `Cannot narrow "${key.name}": it was not used from ${period.since} to ${period.until}; revoke it, or choose a longer period`,
      de: `„${key.name}“ lässt sich nicht einschränken: Der Schlüssel wurde vom ${period.since} bis zum ${period.until} nicht benutzt. Widerrufen Sie ihn, oder wählen Sie einen längeren Zeitraum`,
    });
  }
  const scopes = usedScopes(key, uses, needs);
  const allowedTools = key.tools.length === 0 ? needs.toolNames : key.tools;
  const usedTools = allowedTools.filter((name) => uses.includes(name));
  // A key that called none of its tools keeps its list: an empty list would allow all tools.
  const tools = usedTools.length === 0 && scopes.includes("mcp:read") ? key.tools : usedTools;
  return await changeKey(keys, actor, id, { change: { scopes, tools }, ...context });
}

function usedScopes(key: Key, uses: readonly string[], needs: KeyUseRequirements): Scope[] {
  const used = new Set<Scope>(NOT_COUNTED);
  for (const use of uses) {
    const scope = use.startsWith("api ") ? needs.scopeOf(use) : "mcp:read";
    if (scope === null) continue;
    used.add(scope);
    for (const additional of ADDITIONAL_SCOPES[scope] ?? []) used.add(additional);
  }
  if (GRANTING_SCOPES.some((scope) => used.has(scope))) return [...key.scopes];
  return key.scopes.filter((scope) => used.has(scope));
}
