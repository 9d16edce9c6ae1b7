import { accountChanged } from "../../mail/mails/account-changed.ts";
import type { AccountChange } from "../../mail/texts/account-changed-english.ts";
import { editorsAsSender } from "../submissions/submissions.ts";
import type { Admin, Moment, PeopleStores } from "./people-stores.ts";

/** When an account is changed, and what the mail about the change needs. */
export interface NoticedMoment extends Moment {
  /** Public origin of the site. */
  origin: string;
  /** Whether the service can send mail. */
  sendsMail: boolean;
}

/**
 * Mails an active person that something about their sign-in or rights changed, in the language of their last sign-in. Call
 * within the transaction of the change.
 */
export async function noticeChange(
  stores: Pick<PeopleStores, "outbox" | "content" | "digests">,
  admin: Pick<Admin, "id" | "name" | "email" | "state">,
  change: AccountChange,
  moment: NoticedMoment,
): Promise<void> {
  const { now, sendsMail } = moment;
  if (!sendsMail || admin.state !== "active") return;
  const { language } = await stores.digests.of(admin.id);
  const mail = accountChanged(await editorsAsSender(stores, moment), admin, { change, language });
  await stores.outbox.put(mail, now);
}
