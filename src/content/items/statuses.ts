import { AppError } from "../../errors.ts";
import { type Item, type ItemInput, type Status, TRANSITIONS } from "./item.ts";

/** The part of an item that determines whether, and since when, it is public. */
export type Publication = Pick<Item, "status" | "publishAt" | "publishedAt">;

/** Whether an omitted source key or publication date is kept or removed. */
export type OnOmitted = "keep" | "remove";

/** Whether changing an item in this status, or to it, needs the permission to publish. */
export function needsPublishScope(status: Status): boolean {
  return status !== "draft";
}

/**
 * The publication state that an input leads to. An item scheduled for the past is published. The
 * first publication date is kept, unless the input states another or `onOmitted` removes it.
 *
 * @throws {AppError} `invalid` if a scheduled item has no time, or a published one a future date.
 */
export function publicationOf(
  input: ItemInput,
  before: Item | null,
  { now, onOmitted }: { now: Date; onOmitted: OnOmitted },
): Publication {
  const stated = utc(input.publishedAt);
  const known = before?.publishedAt ?? null;
  const publishedAt = stated ?? (onOmitted === "keep" ? known : null);
  const publishAt = utc(input.publishAt);
  // Only newly stated dates: after the clock is set back, a stored date may lie in the future.
  const isToBePublic = input.status === "published" || input.status === "scheduled";
  if (stated !== null && stated !== known && isToBePublic) refuseFuture(stated, now);
  switch (input.status) {
    case "published":
      return published(publishedAt ?? now.toISOString());
    case "scheduled":
      if (publishAt === null) {
        throw problem("publishAt", "a scheduled item needs the time to publish it at");
      }
      return publishAt <= now.toISOString()
        ? published(publishedAt ?? publishAt)
        : { status: "scheduled", publishAt, publishedAt };
    case "draft":
    case "archived":
      return { status: input.status, publishAt: null, publishedAt };
  }
}

/** @throws {AppError} `conflict` if the transition is not allowed. */
export function requireTransition(before: Item | null, to: Status, subject: string): void {
  if (before === null || before.status === to || TRANSITIONS[before.status].includes(to)) return;
  const possible = TRANSITIONS[before.status].join(", ");
  throw new AppError(
    "conflict",
    `Cannot make ${subject} ${to}: it is ${before.status}, which may become ${possible || "nothing else; restore a revision instead"}`,
  );
}

function published(publishedAt: string): Publication {
  return { status: "published", publishAt: null, publishedAt };
}

function refuseFuture(publishedAt: string, now: Date): void {
  if (publishedAt > now.toISOString()) {
    throw problem("publishedAt", "lies in the future; schedule the item instead");
  }
}

function utc(time: string | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

function problem(where: string, message: string): AppError {
  return new AppError("invalid", `${where}: ${message}`, { problems: [{ where, message }] });
}
