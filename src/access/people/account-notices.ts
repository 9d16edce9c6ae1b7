import { accountChangedMail } from "../../mail/mails/account-changed.ts";
import type { AccountChange } from "../../mail/texts/account-changed-english.ts";
import type { ChangeContext } from "../audit.ts";
import { readEditorsMailSender } from "../submissions/submissions.ts";
import type { Admin, PeopleStores } from "./people-stores.ts";

/** When and by which request an account was changed, and the settings for the mail about the change. */
export interface AccountChangeContext extends ChangeContext {
  /** Public origin of the site. */
  origin: string;
  /** Whether the service can send mail. */
  sendsMail: boolean;
}

/**
 * Mails an active person about a change to their sign-in or rights, in the language of their last sign-in.
 * Call within the transaction of the change.
 */
export async function sendAccountChangeNotice(
  stores: Pick<PeopleStores, "outbox" | "content" | "digests">,
  admin: Pick<Admin, "id" | "name" | "email" | "state">,
  change: AccountChange,
  context: AccountChangeContext,
): Promise<void> {
  const { now, sendsMail } = context;
  if (!sendsMail || admin.state !== "active") return;
  const { language } = await stores.digests.of(admin.id);
  const mail = accountChangedMail(await readEditorsMailSender(stores, context), admin, {
    change,
    language,
  });
  await stores.outbox.put(mail, now);
}
