import type { Actor } from "../access/actor.ts";
import type { NumberedEntry } from "../access/audit.ts";
import { pageUrl } from "../content/addresses/addresses.ts";
import type { Item } from "../content/items/item.ts";
import { AppError } from "../errors.ts";
import type { Delivery } from "./webhook.ts";

/** `*`, `content.*` or `content.publish`. */
export const EVENT_PATTERN = /^(?:\*|[a-z]+(?:[-_][a-z]+)*\.(?:\*|[a-z]+(?:[-_][a-z]+)*))$/;

export const PING = "ping";

/** What whoever may read content may also be told of. All else is read in the audit log only. */
const CONTENT_NOUNS = ["content", "media", "redirect", "site"];

export function isHeard(patterns: readonly string[], action: string): boolean {
  const [noun] = action.split(".");
  return patterns.some((pattern) => [action, `${noun}.*`, "*"].includes(pattern));
}

/**
 * A webhook must not tell its maker what the maker may not read.
 *
 * @throws {AppError} `forbidden`, naming the scope that is missing.
 */
export function requireReadable(actor: Actor, patterns: readonly string[]): void {
  if (actor.kind === "visitor") throw new AppError("unauthenticated", "This needs a key");
  if (actor.kind === "operator" || actor.scopes.includes("audit:read")) return;
  const readsContent = actor.scopes.includes("content:read");
  for (const pattern of patterns) {
    const isContent = CONTENT_NOUNS.includes(pattern.split(".")[0] ?? "");
    if (isContent && readsContent) continue;
    const needed = isContent ? "content:read or audit:read" : "audit:read";
    throw new AppError(
      "forbidden",
      `This key lacks the scope ${needed}, which the events "${pattern}" need`,
    );
  }
}

/** What a webhook is sent. Nobody's name and no secret: it tells what changed and where to read it. */
export interface EventMessage {
  type: string;
  /** When it happened; ISO 8601, UTC. */
  timestamp: string;
  data: Readonly<Record<string, string | number | null>>;
}

export function pingMessage({ webhookId, createdAt }: Delivery): EventMessage {
  return { type: PING, timestamp: createdAt, data: { webhookId } };
}

/** An audit entry as told to a webhook, with the item as that change left it. */
export function eventMessage(
  entry: NumberedEntry,
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
      revisionBefore: entry.revisionBefore,
      revisionAfter: entry.revisionAfter,
    },
  };
}
