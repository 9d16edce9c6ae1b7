import { keyExpires } from "../../mail/mails/key-expires.ts";
import { changeEntry } from "../audit.ts";
import { DAY_MILLISECONDS } from "../days.ts";
import { editorsAsSender, type MailStores } from "../submissions/submissions.ts";
import { emailAddress } from "../submissions/visitor-input.ts";
import type { KeyStore } from "./keys.ts";

const DAYS_BEFORE = 14;
const BATCH_MAX = 100;

interface Stores extends MailStores {
  keys: KeyStore;
}

/**
 * Clock task: mails the holders of keys that expire within 14 days, once, if their contact is an
 * e-mail address.
 */
export async function remindOfExpiry(
  record: Stores & { atomically<T>(change: (stores: Stores) => Promise<T>): Promise<T> },
  origin: string,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + DAYS_BEFORE * DAY_MILLISECONDS);
  const period = { after: now, until };
  if ((await record.keys.ending(period, 1)).length === 0) return;
  await record.atomically(async (stores) => {
    const writer = await editorsAsSender(stores, { origin });
    await stores.keys.write(async (transaction) => {
      for (const key of await transaction.ending(period, BATCH_MAX)) {
        const { id, name, contact, expiresAt } = key;
        const to = emailAddress.safeParse(contact);
        const hasMail = to.success && expiresAt !== null;
        if (hasMail) {
          await stores.outbox.put(
            keyExpires(writer, { id, name, contact: to.data, expiresAt }),
            now,
          );
        }
        const entry = changeEntry("key.remind", id, { actor: { kind: "clock" }, now });
        const detail = hasMail ? "mailed" : "no e-mail address";
        await transaction.update({ ...key, remindedAt: now.toISOString() }, { ...entry, detail });
      }
    });
  });
}
