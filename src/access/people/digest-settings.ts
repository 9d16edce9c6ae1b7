import type { PersonActor } from "../actor.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import type { PeopleRecord, PeopleStores } from "./people-stores.ts";

/** Turns on or off one's own daily mail about waiting work. Call within a transaction. */
export async function setDigestEnabled(
  { digests }: Pick<PeopleStores, "digests">,
  actor: PersonActor,
  { isOn, now, requestId }: { isOn: boolean } & ChangeContext,
): Promise<void> {
  const settings = await digests.of(actor.adminId);
  if (settings.isOn === isOn) return;
  const entry = auditEntryForChange("admin.change-digest", actor.adminId, {
    actor,
    now,
    requestId,
  });
  await digests.put({ ...settings, isOn }, { ...entry, detail: isOn ? "on" : "off" });
}

/** Stores the language of a person's screens. Mails to this person use the same language. */
export async function saveScreenLanguage(
  record: Pick<PeopleRecord, "digests" | "atomically">,
  adminId: string,
  language: string,
): Promise<void> {
  if ((await record.digests.of(adminId)).language === language) return;
  await record.atomically(async ({ digests }) => {
    await digests.put({ ...(await digests.of(adminId)), language }, null);
  });
}
