import type { Actor, Scope } from "../access/actor.ts";
import type { NumberedAuditEntry } from "../access/audit.ts";
import { pageUrl } from "../content/addresses/addresses.ts";
import type { Item } from "../content/items/item.ts";
import { AppError } from "../errors.ts";
import type { Delivery } from "./webhook.ts";

/** Matches patterns of events, such as `*`, `content.*` or `content.publish`. */
export const EVENT_PATTERN_REGEX = /^(?:\*|[a-z]+(?:[-_][a-z]+)*\.(?:\*|[a-z]+(?:[-_][a-z]+)*))$/;

export const PING_EVENT = "ping";

/**
 * The words before the dot in the names of events that need the scope `content:read`, because their messages
 * name items and drafts. All other events need `audit:read`.
 */
const CONTENT_NOUNS = ["content", "media", "redirect", "site"];

/**
 * Prefix of the names of actions whose details are sent. The details of these actions are measurements. The
 * details of other actions are not sent, because they may quote people.
 */
const HEALTH_ACTIONS = "health.";

export function matchesEventPatterns(patterns: readonly string[], action: string): boolean {
  const [noun] = action.split(".");
  return patterns.some((pattern) => [action, `${noun}.*`, "*"].includes(pattern));
}

/**
 * Ensures that a webhook with these patterns reveals only what the actor may read.
 *
 * @throws {AppError} `forbidden`, naming the missing scope.
 */
export function requireReadableEvents(actor: Actor, patterns: readonly string[]): void {
  if (actor.kind === "visitor")
    throw new AppError("unauthenticated", {
      en: "This needs a key",
      de: "Dafür braucht es einen Schlüssel",
    });
  if (actor.kind === "operator" || actor.kind === "clock") return;
  for (const pattern of patterns) {
    const needed = scopesForPattern(pattern).find((scope) => !actor.scopes.includes(scope));
    if (needed === undefined) continue;
    throw new AppError("forbidden", {
      en: `This key lacks the scope ${needed}, which the events "${pattern}" need`,
      de: `Für die Ereignisse „${pattern}“ fehlt das Recht ${needed}`,
    });
  }
}

function scopesForPattern(pattern: string): readonly Scope[] {
  if (pattern === "*") return ["audit:read", "content:read"];
  return CONTENT_NOUNS.includes(pattern.split(".")[0] ?? "") ? ["content:read"] : ["audit:read"];
}

/** The payload of a delivery. It contains no names or secrets, only the change and its URL. */
export interface EventMessage {
  type: string;
  /** Time of the event; ISO 8601, UTC. */
  timestamp: string;
  data: Readonly<Record<string, string | number | null>>;
}

export function createPingMessage({ webhookId, createdAt }: Delivery): EventMessage {
  return { type: PING_EVENT, timestamp: createdAt, data: { webhookId } };
}

/** The message for an audit entry. `item`: the changed item at the entry's revision; null if none changed. */
export function createEventMessage(
  entry: NumberedAuditEntry,
  item: Item | null,
  origin: string,
): EventMessage {
  const about =
    item === null
      ? {}
      : {
          ...(item.status === "published" ? { url: pageUrl(origin, item.path) } : {}),
          itemId: item.id,
          itemType: item.type,
          title: item.title,
        };
  return {
    type: entry.action,
    timestamp: entry.at,
    data: {
      number: entry.number,
      actor: entry.actor.split(":")[0] ?? "",
      target: entry.target,
      ...about,
      ...(entry.action.startsWith(HEALTH_ACTIONS) && { detail: entry.detail }),
      revisionBefore: entry.revisionBefore,
      revisionAfter: entry.revisionAfter,
    },
  };
}
