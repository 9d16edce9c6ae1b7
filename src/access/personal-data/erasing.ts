import { type Actor, actorName, requireScope } from "../actor.ts";
import { auditEntryForChange, type ChangeContext } from "../audit.ts";
import { requireGrantableScopes } from "../keys/grants.ts";
import { type Key, readReplacementChain } from "../keys/keys.ts";
import { ERASED_EMAIL_DOMAIN, personActorOf, requireRemainingOwner } from "../people/admins.ts";
import { NO_PASSWORD } from "../people/passwords.ts";
import type { Admin } from "../people/people-stores.ts";
import { ROLE_SCOPES } from "../people/roles.ts";
import { describeRequestedKey } from "../submissions/key-approvals.ts";
import type { KeyRequest } from "../submissions/key-requests.ts";
import { removeMessage } from "../submissions/messages.ts";
import { eraseKeyRequestPersonalData } from "../submissions/retention.ts";
import { auditEntryForSubmission } from "../submissions/submissions.ts";
import {
  formatPersonalDataCounts,
  type PersonalDataStores,
  readPersonalDataUnchecked,
  type StoredPersonalData,
} from "./stored-data.ts";

const ERASED_NAME = "erased";
/** The property changes that withdraw the claim code of a request. */
const EXPIRED_CLAIM = { code: null, state: "expired" } as const;

/**
 * Erases the data of the person with an e-mail address. Messages and mails are removed. Requests,
 * keys and the account lose their personal data but stay, because other records refer to them. The
 * person's keys are also revoked, and the account is disabled. Backups are not changed. Call within a
 * transaction.
 *
 * @returns the data as it was before.
 * @throws {AppError} `forbidden`; `conflict` for the last active owner; `unconfirmed` if the person
 * has to enter the password again.
 */
export async function erasePersonalData(
  stores: PersonalDataStores,
  actor: Actor,
  email: string,
  context: ChangeContext,
): Promise<StoredPersonalData> {
  requireScope(actor, "admins:manage");
  const kept = await readPersonalDataUnchecked(stores, email);
  const { now, requestId } = context;
  const submissionContext = { actor, now, ...(typeof requestId === "string" ? { requestId } : {}) };
  for (const { id } of kept.messages) await removeMessage(stores, actor, id, submissionContext);
  for (const { id } of kept.keyRequests) {
    const request = await stores.keyRequests.byId(id);
    if (request === null) continue;
    const erased = eraseKeyRequestPersonalData(
      { ...request, ...(request.code !== null && EXPIRED_CLAIM) },
      now,
    );
    await stores.outbox.forget(id);
    await eraseRequestTexts(stores, actor, { request, ownKeys: kept.keys, ...context });
    await stores.keyRequests.update(
      erased,
      auditEntryForSubmission("request.erase", erased, submissionContext),
    );
  }
  for (const key of kept.keys) await eraseKey(stores, actor, { key, ...context });
  await stores.personalData.removeMails(email);
  if (kept.account !== null) await eraseAccount(stores, actor, { email, ...context });
  const target = kept.account?.id ?? "visitor";
  const entry = auditEntryForChange("person.erase", target, { actor, ...context });
  await stores.personalData.writeEntry({ ...entry, detail: formatPersonalDataCounts(kept) });
  return kept;
}

async function eraseKey(
  { keys }: PersonalDataStores,
  actor: Actor,
  { key, ...context }: { key: Key } & ChangeContext,
): Promise<void> {
  const erasedKey: Key = {
    ...key,
    name: ERASED_NAME,
    owner: "",
    contact: "",
    purpose: "",
    revokedAt: key.revokedAt ?? context.now.toISOString(),
    revokedWhy:
      key.revokedWhy === null ? "The personal data of its holder was erased" : ERASED_NAME,
  };
  const entry = auditEntryForChange("key.erase", key.id, { actor, ...context });
  await keys.write((transaction) => transaction.update(erasedKey, entry));
}

/**
 * Erases what a request left in the keys that were issued for it and have another holder since. They keep
 * working.
 */
async function eraseRequestTexts(
  { keys }: PersonalDataStores,
  actor: Actor,
  {
    request,
    ownKeys,
    ...context
  }: { request: KeyRequest; ownKeys: readonly Key[] } & ChangeContext,
): Promise<void> {
  if (request.keyId === null) return;
  const { name, owner, purpose } = describeRequestedKey(request);
  for (const key of await readReplacementChain(keys, request.keyId)) {
    if (ownKeys.some(({ id }) => id === key.id)) continue;
    const erasedKey: Key = {
      ...key,
      name: key.name === name ? ERASED_NAME : key.name,
      owner: key.owner === owner ? "" : key.owner,
      purpose: key.purpose === purpose ? "" : key.purpose,
    };
    const entry = auditEntryForChange("key.erase", key.id, { actor, ...context });
    await keys.write((transaction) => transaction.update(erasedKey, entry));
  }
}

async function eraseAccount(
  stores: PersonalDataStores,
  actor: Actor,
  { email, ...context }: { email: string } & ChangeContext,
): Promise<void> {
  const admin = await stores.admins.byEmail(email);
  if (admin === null) return;
  requireGrantableScopes(actor, ROLE_SCOPES[admin.role]);
  const { id } = admin;
  const erasedAdmin: Admin = {
    ...admin,
    email: `${ERASED_NAME}-${id}@${ERASED_EMAIL_DOMAIN}`,
    name: ERASED_NAME,
    state: "disabled",
    changedAt: context.now.toISOString(),
    lastLoginAt: null,
  };
  await requireRemainingOwner(stores.admins, admin, erasedAdmin);
  const entryContext = { actor, ...context };
  await stores.admins.update(
    erasedAdmin,
    NO_PASSWORD,
    auditEntryForChange("admin.erase", id, entryContext),
  );
  await stores.sessions.removeOf(id);
  await stores.adminCodes.removeOf(id);
  if ((await stores.secondFactors.of(id)) !== null) {
    const entry = auditEntryForChange("admin.second-factor-off", id, entryContext);
    await stores.secondFactors.remove(id, entry);
  }
  const entry = auditEntryForChange("admin.passkey-remove", id, entryContext);
  for (const passkey of await stores.passkeys.ofAdmin(id)) {
    await stores.passkeys.remove(passkey.id, entry);
  }
  await stores.outbox.forget(id);
  await stores.personalData.eraseActor(
    actorName(personActorOf(admin, { isConfirmed: false })),
    ERASED_NAME,
  );
}
