import type { Scope } from "../../access/actor.ts";
import { AppError, fieldError } from "../../errors.ts";
import { parseTimeInZone } from "../site/time-zone.ts";
import { type Item, type ItemInput, STATUS_TRANSITIONS, type Status } from "./item.ts";

/** The properties of an item that determine whether, since when and until when it is public. */
export type PublicationState = Pick<Item, "status" | "publishAt" | "publishedAt" | "expireAt">;

/** Whether dates and the source key of an item are kept or removed if the input omits them. */
export type OmittedValuePolicy = "keep" | "remove";

/**
 * The scope required to change an item that has these statuses before and after the change:
 * `content:write` if the item is a draft and remains a draft, otherwise `content:publish`.
 */
export function scopeRequiredForChange(...statuses: readonly (Status | undefined)[]): Scope {
  return statuses.some((status = "draft") => status !== "draft")
    ? "content:publish"
    : "content:write";
}

/**
 * The publication state that results from an input. An item scheduled for a past time is published.
 * If the input omits `publishedAt`, the former date is kept, or removed if `onOmitted` is `remove`.
 *
 * @throws {AppError} `invalid` if a scheduled item has no time, if a publication date is in the
 * future, or if an item that is to be public expires in the past or before its publication.
 */
export function computePublicationState(
  input: ItemInput,
  before: Item | null,
  { now, timeZone, onOmitted }: { now: Date; timeZone: string; onOmitted: OmittedValuePolicy },
): PublicationState {
  const inputDate = parseMoment("publishedAt", input.publishedAt, timeZone);
  const formerDate = before?.publishedAt ?? null;
  const publishedAt = inputDate ?? (onOmitted === "keep" ? formerDate : null);
  // Ignores the time unless the status is `scheduled`. A change that publishes a scheduled item immediately
  // can still contain the item's scheduled time.
  const publishAt =
    input.status === "scheduled" ? parseMoment("publishAt", input.publishAt, timeZone) : null;
  const expireAt = statedOrKept("expireAt", input, { before, timeZone, onOmitted });
  // A date that is stored already is not checked again. It may lie in the future if the system
  // clock has been set back.
  const isToBePublic = input.status === "published" || input.status === "scheduled";
  if (inputDate !== null && inputDate !== formerDate && isToBePublic) refuseFuture(inputDate, now);
  if (isToBePublic) requireLaterEnd(expireAt, { before, publishAt, now });
  switch (input.status) {
    case "published":
      return publishedState(publishedAt ?? now.toISOString(), expireAt);
    case "scheduled":
      if (publishAt === null) {
        throw fieldError("publishAt", {
          en: "a scheduled item needs the time to publish it at",
          de: "Es fehlt, wann veröffentlicht werden soll",
        });
      }
      return publishAt <= now.toISOString()
        ? publishedState(publishedAt ?? publishAt, expireAt)
        : { status: "scheduled", publishAt, publishedAt, expireAt };
    case "draft":
      return { status: "draft", publishAt: null, publishedAt, expireAt };
    case "archived":
      return { status: "archived", publishAt: null, publishedAt, expireAt: null };
  }
}

/**
 * The review date that results from an input.
 *
 * @throws {AppError} `invalid`.
 */
export function computeReviewDate(
  input: ItemInput,
  before: Item | null,
  context: { timeZone: string; onOmitted: OmittedValuePolicy },
): string | null {
  return statedOrKept("reviewAt", input, { before, ...context });
}

/** @throws {AppError} `invalid` if the item has expired, and therefore cannot become public. */
export function requireNotExpired({ path, expireAt }: Item, now: Date): void {
  if (expireAt === null || expireAt > now.toISOString()) return;
  throw fieldError("expireAt", {
    en: `"${path}" was to end at ${expireAt}; state a later end, or none, first`,
    de: `„${path}“ sollte schon vorher enden: Geben Sie zuerst ein späteres Ende an, oder keins`,
  });
}

const STATUS_GERMAN: Readonly<Record<Exclude<Status, "deleted">, string>> = {
  draft: "ein Entwurf",
  scheduled: "geplant",
  published: "öffentlich",
  archived: "zurückgezogen",
};

/** @throws {AppError} `conflict` if the transition is not allowed. */
export function requireTransition(before: Item | null, to: Status, subject: string): void {
  if (before === null || before.status === to || STATUS_TRANSITIONS[before.status].includes(to))
    return;
  const possible = STATUS_TRANSITIONS[before.status].join(", ");
  throw new AppError("conflict", {
    en: `Cannot make ${subject} ${to}: it is ${before.status}, which may become ${possible || "nothing else; restore a revision instead"}`,
    de:
      before.status === "deleted"
        ? "Der Inhalt ist gelöscht: Holen Sie zuerst eine frühere Fassung zurück"
        : `Das geht nicht, solange der Inhalt ${STATUS_GERMAN[before.status]} ist`,
  });
}

function statedOrKept(
  date: "expireAt" | "reviewAt",
  input: ItemInput,
  {
    before,
    timeZone,
    onOmitted,
  }: { before: Item | null; timeZone: string; onOmitted: OmittedValuePolicy },
): string | null {
  const inputDate = parseMoment(date, input[date], timeZone);
  return inputDate ?? (onOmitted === "keep" ? (before?.[date] ?? null) : null);
}

/**
 * Refuses an expiry in the past or before publication. A published item can keep an expiry that has just
 * passed, because the service is about to archive the item.
 */
function requireLaterEnd(
  expireAt: string | null,
  { before, publishAt, now }: { before: Item | null; publishAt: string | null; now: Date },
): void {
  if (expireAt === null) return;
  if (before?.status === "published" && before.expireAt === expireAt) return;
  if (expireAt <= now.toISOString()) {
    throw fieldError("expireAt", {
      en: "lies in the past; archive the item instead",
      de: "liegt in der Vergangenheit: Ziehen Sie den Inhalt stattdessen zurück",
    });
  }
  if (publishAt !== null && expireAt <= publishAt) {
    throw fieldError("expireAt", {
      en: "is not after publishAt, when the item is to be published",
      de: "liegt nicht nach der Zeit, zu der veröffentlicht werden soll",
    });
  }
}

function publishedState(publishedAt: string, expireAt: string | null): PublicationState {
  return { status: "published", publishAt: null, publishedAt, expireAt };
}

function refuseFuture(publishedAt: string, now: Date): void {
  if (publishedAt > now.toISOString()) {
    throw fieldError("publishedAt", {
      en: "lies in the future; schedule the item instead",
      de: "liegt in der Zukunft: Planen Sie die Veröffentlichung stattdessen",
    });
  }
}

function parseMoment(where: string, time: string | undefined, timeZone: string): string | null {
  return time === undefined ? null : parseTimeInZone(timeZone, time, where).toISOString();
}
