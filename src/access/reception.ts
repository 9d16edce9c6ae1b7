import type { ContentReader } from "../content/record.ts";
import type { Writer } from "../mail/letter.ts";
import type { Outbox } from "../mail/outbox.ts";
import { type Actor, actorName } from "./actor.ts";
import type { AuditEntry } from "./audit.ts";
import type { KeptAnswers } from "./kept-answers.ts";
import type { KeyRequestStore } from "./key-requests.ts";
import type { KeyStore } from "./keys.ts";
import type { MessageStore } from "./messages.ts";

/** Where what visitors ask and write is dealt with; to be used within one transaction. */
export interface ReceptionStores {
  keyRequests: KeyRequestStore;
  messages: MessageStore;
  outbox: Outbox;
  keys: KeyStore;
  content: Pick<ContentReader, "site">;
  keptAnswers: Pick<KeptAnswers, "find" | "keep">;
}

/** Under what circumstances. */
export interface Dealing {
  now: Date;
  requestId?: string;
  /** Scheme and host of every absolute URL. */
  origin: string;
  /** Can the service send mail? */
  sendsMail: boolean;
}

/** @throws when nothing was said of the site yet, which comes before anybody can write to it. */
export async function writerOf(
  { content }: Pick<ReceptionStores, "content">,
  { origin }: Pick<Dealing, "origin">,
): Promise<Writer> {
  const site = await content.site();
  if (site === null) throw new Error("The store holds no site");
  return { siteName: site.name, email: site.contact.email, origin };
}

/** An entry for a change of something with revisions; `clock` acts by itself. */
export function receptionEntry(
  action: string,
  changed: { id: string; revision: number },
  { actor, now, requestId }: { actor: Actor | "clock"; now: Date; requestId?: string },
): AuditEntry {
  return {
    at: now.toISOString(),
    actor: actor === "clock" ? actor : actorName(actor),
    action,
    target: changed.id,
    revisionBefore: changed.revision === 1 ? null : changed.revision - 1,
    revisionAfter: changed.revision,
    requestId: requestId ?? null,
  };
}
