import { listDrafts } from "../../content/drafts/listing-drafts.ts";
import type { DraftNote } from "../../content/drafts/notes.ts";
import type { DraftStores } from "../../content/drafts/saving.ts";
import { listItems } from "../../content/editing/desk.ts";
import { STATUSES } from "../../content/items/item.ts";
import { SHOWN_COUNT_MAX, type WaitingTaskCounts } from "../../mail/mails/digest.ts";
import { type Actor, actorName } from "../actor.ts";
import type { SubmissionStores } from "../submissions/submission-stores.ts";
import { listSubmissions } from "../submissions/submissions.ts";
import { personActorOf } from "./admins.ts";
import type { Admin, DigestSettings } from "./people-stores.ts";

const READ_PER_KIND_MAX = SHOWN_COUNT_MAX + 1;
const NOTES_MAX = 1000;
const CLOCK_ACTOR: Actor = { kind: "clock" };

/** The stores that hold the waiting work of a site's people. */
export type WaitingTaskStores = Pick<SubmissionStores, "keyRequests" | "messages"> &
  Parameters<typeof listItems>[0] & {
    drafts: DraftStores["drafts"];
    draftNotes: { since(time: string, limit: number): Promise<DraftNote[]> };
  };

/**
 * Work that waits for someone to act. Each list has one entry per waiting submission, draft, item or note.
 * The entry's `at` is the time since which the work waits (ISO 8601, UTC). An entry that is a string is this
 * time itself.
 */
interface WaitingWork {
  requests: readonly string[];
  messages: readonly string[];
  failed: readonly string[];
  reviewRequests: readonly { at: string; by: string }[];
  overdueReviews: readonly string[];
  notes: readonly { at: string; by: string; editors: readonly string[] }[];
}

/** Reads the waiting work. Reads only notes written since the earliest `checkedAt` of `people`. */
export async function readWaitingTasks(
  stores: WaitingTaskStores,
  people: readonly { settings: DigestSettings }[],
  now: Date,
): Promise<WaitingWork> {
  const options = { before: null, limit: READ_PER_KIND_MAX };
  const { keyRequests, messages, drafts } = stores;
  const requests = await listSubmissions(keyRequests, CLOCK_ACTOR, {
    ...options,
    state: "pending",
  });
  const unread = await listSubmissions(messages, CLOCK_ACTOR, { ...options, state: "new" });
  const failed = await listDrafts(drafts, CLOCK_ACTOR, { failed: true, limit: READ_PER_KIND_MAX });
  const asked = await listDrafts(drafts, CLOCK_ACTOR, { inReview: true, limit: READ_PER_KIND_MAX });
  const reviews = await listItems(stores, CLOCK_ACTOR, {
    types: [],
    statuses: STATUSES.filter((status) => status !== "deleted"),
    reviewBefore: now.toISOString(),
    sort: "updated",
    descending: true,
    limit: READ_PER_KIND_MAX,
  });
  const checkTimes = people.map(({ settings }) => settings.checkedAt ?? "");
  const since = checkTimes.sort().at(0) ?? "";
  const notes = await stores.draftNotes.since(since, NOTES_MAX);
  const outlines = await drafts.outlines([...new Set(notes.map(({ draftId }) => draftId))]);
  const editors = new Map(outlines.map((draft) => [draft.id, draft.editors]));
  return {
    requests: requests.map(({ receivedAt }) => receivedAt),
    messages: unread.map(({ receivedAt }) => receivedAt),
    failed: failed.items.map(({ updatedAt }) => updatedAt),
    reviewRequests: asked.items.flatMap(({ review }) =>
      review === null ? [] : [{ at: review.askedAt, by: review.askedBy }],
    ),
    overdueReviews: reviews.items.flatMap(({ reviewAt }) => reviewAt ?? []),
    notes: notes.map(({ draftId, createdAt, createdBy }) => ({
      at: createdAt,
      by: createdBy,
      editors: editors.get(draftId) ?? [],
    })),
  };
}

/**
 * Counts the waiting work that a person's role allows them to do.
 *
 * @returns `newest`: when the most recent piece of this work started to wait; empty if no work waits.
 */
export function countWaitingTasksFor(
  admin: Admin,
  { checkedAt }: DigestSettings,
  waiting: WaitingWork,
): { counts: WaitingTaskCounts; newest: string } {
  const person = personActorOf(admin, { isConfirmed: false });
  const personName = actorName(person);
  const mayAnswer = person.scopes.includes("requests:manage");
  const mayPublish = person.scopes.includes("content:publish");
  const notes = waiting.notes.filter(
    ({ at, by, editors }) =>
      at > (checkedAt ?? "") && by !== personName && (mayPublish || editors.includes(personName)),
  );
  const asked = waiting.reviewRequests.filter(({ by }) => mayPublish && by !== personName);
  const mine = {
    requests: mayAnswer ? waiting.requests : [],
    messages: mayAnswer ? waiting.messages : [],
    failed: mayPublish ? waiting.failed : [],
    asked: asked.map(({ at }) => at),
    reviews: mayPublish ? waiting.overdueReviews : [],
    notes: notes.map(({ at }) => at),
  };
  const times = Object.values(mine).flat();
  return {
    counts: {
      requests: mine.requests.length,
      messages: mine.messages.length,
      failed: mine.failed.length,
      asked: mine.asked.length,
      reviews: mine.reviews.length,
      notes: mine.notes.length,
    },
    newest: times.sort().at(-1) ?? "",
  };
}
