import { AppError } from "../../errors.ts";
import { type Item, type ItemInput, type Status, TRANSITIONS } from "./item.ts";

/** The part of an item that says whether, and since when, the public sees it. */
export type Publication = Pick<Item, "status" | "publishAt" | "publishedAt">;

/** What becomes of a source key and a date of first publication that an input does not state. */
export type Unsaid = "keep" | "remove";

/** Does changing an item in this status, or into it, need the permission to publish? */
export function isGuarded(status: Status): boolean {
  return status !== "draft";
}

/**
 * What an input makes of an item's publication. An item scheduled for a time that has passed is a
 * published one. The first publication date stays, unless the input states another or is said to
 * take away what it does not state.
 *
 * @throws {AppError} `invalid` when a scheduled item has no time, or a published one a future date.
 */
export function publicationOf(
  input: ItemInput,
  before: Item | null,
  { now, unsaid }: { now: Date; unsaid: Unsaid },
): Publication {
  const stated = utc(input.publishedAt);
  const known = before?.publishedAt ?? null;
  const publishedAt = stated ?? (unsaid === "keep" ? known : null);
  const publishAt = utc(input.publishAt);
  // Only what is said now: a clock set back must not make an item of the record wrong.
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

/** @throws {AppError} `conflict` when the status cannot follow the present one. */
export function allowTransition(before: Item | null, to: Status, subject: string): void {
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
