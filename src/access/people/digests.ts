import { dateTimeInZone, dayInZone } from "../../content/site/time-zone.ts";
import { digestMail } from "../../mail/mails/digest.ts";
import { readEditorsMailSender } from "../submissions/submissions.ts";
import type { Admin, DigestSettings, PeopleStores } from "./people-stores.ts";
import { countWaitingTasksFor, readWaitingTasks, type WaitingTaskStores } from "./waiting-work.ts";

const FIRST_HOUR = "07";
/** Number of accounts read in one transaction. */
const ACCOUNTS_AT_ONCE = 200;

type Stores = Pick<PeopleStores, "admins" | "digests" | "outbox"> & WaitingTaskStores;

/**
 * Clock task: mails each person a summary of the work that waits for them. Mails once a day, after
 * 07:00 in the site's time zone, and only if some of that work is new. Every process runs the task;
 * the first one sends the mails.
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
  const sender = await readEditorsMailSender(stores, { origin });
  const waiting = await readWaitingTasks(stores, people, now);
  for (const { admin, settings } of people) {
    const { counts, newest } = countWaitingTasksFor(admin, settings, waiting);
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

/**
 * Active people who have the daily mail turned on and whose waiting work has not been checked
 * today.
 */
async function recipientsToday(
  { digests }: Pick<Stores, "digests">,
  accounts: readonly Admin[],
  { timeZone, now }: { timeZone: string; now: Date },
): Promise<Recipient[]> {
  const today = dayInZone(timeZone, now.toISOString());
  const active = new Map(accounts.filter(isActive).map((admin) => [admin.id, admin]));
  return (await digests.ofEach([...active.keys()])).flatMap((settings) => {
    const { adminId, isOn, checkedAt } = settings;
    const admin = active.get(adminId);
    const checkedDay = checkedAt === null ? "" : dayInZone(timeZone, checkedAt);
    if (admin === undefined || !isOn || checkedDay === today) return [];
    // A stored day after today comes from a wrong clock. The person's waiting work then counts as never
    // checked.
    return [{ admin, settings: checkedDay > today ? { ...settings, checkedAt: null } : settings }];
  });
}

function isActive({ state }: Admin): boolean {
  return state === "active";
}

function hourIn(timeZone: string, now: Date): string {
  return dateTimeInZone(timeZone, now.toISOString()).slice(11, 13);
}
