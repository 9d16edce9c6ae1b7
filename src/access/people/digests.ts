import { listDrafts } from "../../content/drafts/listing-drafts.ts";
import type { DraftNote } from "../../content/drafts/notes.ts";
import type { DraftStores } from "../../content/drafts/saving.ts";
import { listItems } from "../../content/editing/desk.ts";
import { STATUSES } from "../../content/items/item.ts";
import { dateTimeIn, dayIn } from "../../content/site/time-zone.ts";
import { COUNTED_MAX, digestMail, type WaitingCounts } from "../../mail/mails/digest.ts";
import { type Actor, actorName } from "../actor.ts";
import type { SubmissionStores } from "../submissions/submission-stores.ts";
import { editorsMailSender, listSubmissions } from "../submissions/submissions.ts";
import { personActorOf } from "./admins.ts";
import type { Admin, DigestSettings, PeopleStores } from "./people-stores.ts";

const FIRST_HOUR = "07";
/** Accounts read in one transaction. */
const ACCOUNTS_AT_ONCE = 200;
const READ_PER_KIND_MAX = COUNTED_MAX + 1;
const NOTES_MAX = 1000;
const CLOCK_ACTOR: Actor = { kind: "clock" };

type Stores = Pick<PeopleStores, "admins" | "digests" | "outbox"> &
  Pick<SubmissionStores, "keyRequests" | "messages"> &
  Parameters<typeof listItems>[0] & {
    drafts: DraftStores["drafts"];
    draftNotes: { since(time: string, limit: number): Promise<DraftNote[]> };
  };

/**
 * Work that waits for at least one recipient. Plain strings and `at` are the times (ISO 8601, UTC)
 * at which a piece of work began to wait.
 */
interface WaitingWork {
  requests: readonly string[];
  messages: readonly string[];
  failed: readonly string[];
  reviewRequests: readonly { at: string; by: string }[];
  overdueReviews: readonly string[];
  notes: readonly { at: string; by: string; editors: readonly string[] }[];
}

/**
 * Clock task: once a day, from 07:00 in the site's time zone, mails each person a summary of the work that
 * waits for them, if any of it is new. Every process runs the task; the first one sends the mails.
 */
export async function sendDigests(
  record: Stores & { atomically<T>(change: (stores: Stores) => Promise<T>): Promise<T> },
  origin: string,
  now: Date,
): Promise<void> {
  const site = await record.content.site();
  if (site === null) return;
  const { timeZone } = site;
  if (hourIn(timeZone, now) < FIRST_HOUR) return;
  for (let after: string | null = null; ; ) {
    const page: Page = { after, limit: ACCOUNTS_AT_ONCE };
    const accounts = await record.admins.page(page);
    if ((await recipientsToday(record, accounts, { timeZone, now })).length > 0) {
      await record.atomically((stores) => mailPage(stores, page, { timeZone, origin, now }));
    }
    const last = accounts.at(-1);
    if (last === undefined || accounts.length < ACCOUNTS_AT_ONCE) return;
    after = last.id;
  }
}

type Page = Parameters<Stores["admins"]["page"]>[0];

async function mailPage(
  stores: Stores,
  page: Page,
  { timeZone, origin, now }: { timeZone: string; origin: string; now: Date },
): Promise<void> {
  const people = await recipientsToday(stores, await stores.admins.page(page), { timeZone, now });
  if (people.length === 0) return;
  const sender = await editorsMailSender(stores, { origin });
  const waiting = await readWaitingWork(stores, people, now);
  for (const { admin, settings } of people) {
    const { counts, newest } = waitingFor(admin, settings, waiting);
    if (newest > (settings.checkedAt ?? "")) {
      await stores.outbox.forget(admin.id, "digest");
      await stores.outbox.put(
        digestMail(sender, admin, { counts, language: settings.language }),
        now,
      );
    }
    await stores.digests.put({ ...settings, checkedAt: now.toISOString() }, null);
  }
}

interface Recipient {
  admin: Admin;
  settings: DigestSettings;
}

/** Active people who want the mail and whose waiting work has not been checked today. */
async function recipientsToday(
  { digests }: Pick<Stores, "digests">,
  accounts: readonly Admin[],
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<Recipient[]> {
  const today = dayIn(timeZone, now.toISOString());
  const active = new Map(accounts.filter(isActive).map((admin) => [admin.id, admin]));
  return (await digests.ofEach([...active.keys()])).flatMap((settings) => {
    const { adminId, isOn, checkedAt } = settings;
    const admin = active.get(adminId);
    const isChecked = checkedAt !== null && dayIn(timeZone, checkedAt) >= today;
    return admin === undefined || !isOn || isChecked ? [] : [{ admin, settings }];
  });
}

function isActive({ state }: Admin): boolean {
  return state === "active";
}

async function readWaitingWork(
  stores: Stores,
  people: readonly Recipient[],
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
 * Selects the waiting work that a person's role allows them to do.
 *
 * @returns `newest`: the time at which the latest piece of work began to wait; empty if none waits.
 */
function waitingFor(
  admin: Admin,
  { checkedAt }: DigestSettings,
  waiting: WaitingWork,
): { counts: WaitingCounts; newest: string } {
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

function hourIn(timeZone: string, now: Date): string {
  return dateTimeIn(timeZone, now.toISOString()).slice(11, 13);
}
