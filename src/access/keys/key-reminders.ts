import { keyExpiryMail } from "../../mail/mails/key-expires.ts";
import { auditEntryForChange } from "../audit.ts";
import { DAY_MILLISECONDS } from "../days.ts";
import { type MailStores, readEditorsMailSender } from "../submissions/submissions.ts";
import { emailAddressSchema } from "../submissions/visitor-input.ts";
import type { KeyStore } from "./keys.ts";

const REMINDER_DAYS = 14;
const BATCH_MAX = 100;

interface Stores extends MailStores {
  keys: KeyStore;
}

/**
 * Clock task: sends one reminder for each key that expires within 14 days. A key whose contact is not an
 * e-mail address is only marked as reminded.
 */
export async function sendKeyExpiryReminders(
  record: Stores & { atomically<T>(change: (stores: Stores) => Promise<T>): Promise<T> },
  origin: string,
  now: Date,
): Promise<void> {
  const until = new Date(now.getTime() + REMINDER_DAYS * DAY_MILLISECONDS);
  const period = { after: now, until };
  if ((await record.keys.expiring(period, 1)).length === 0) return;
  await record.atomically(async (stores) => {
    const sender = await readEditorsMailSender(stores, { origin });
    await stores.keys.write(async (transaction) => {
      for (const key of await transaction.expiring(period, BATCH_MAX)) {
        const { id, name, contact, expiresAt } = key;
        const to = emailAddressSchema.safeParse(contact);
        const isMailed = to.success && expiresAt !== null;
        if (isMailed) {
          await stores.outbox.put(
            keyExpiryMail(sender, { id, name, contact: to.data, expiresAt }),
            now,
          );
        }
        const entry = auditEntryForChange("key.remind", id, { actor: { kind: "clock" }, now });
        const detail = isMailed ? "mailed" : "no e-mail address";
        await transaction.update({ ...key, remindedAt: now.toISOString() }, { ...entry, detail });
      }
    });
  });
}
