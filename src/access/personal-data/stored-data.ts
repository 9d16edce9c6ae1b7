import { type Actor, requireScope } from "../actor.ts";
import {
  type AuditLog,
  auditEntryForChange,
  type ChangeContext,
  type NumberedAuditEntry,
} from "../audit.ts";
import { iterateKeysInIssueOrder, type Key, type KeyStore } from "../keys/keys.ts";
import { adminEmailSchema, normalizeAccountEmail } from "../people/admins.ts";
import type { Admin, Passkey, PeopleStores, Session } from "../people/people-stores.ts";
import type { KeyRequest, KeyRequestStore } from "../submissions/key-requests.ts";
import type { Message, MessageStore } from "../submissions/messages.ts";

/** Limit on the audit entries in an export. */
const ACTIONS_MAX = 10_000;

/** A mail to or about a person, as stored in the outbox. */
export interface StoredMail {
  id: string;
  kind: string;
  to: string;
  replyTo: string | null;
  subject: string;
  /** The text of the mail; empty once the mail has been sent or abandoned. */
  text: string;
  state: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

/** Finds personal data by e-mail address, given as accounts have it. Each change joins the current transaction. */
export interface PersonalDataStore {
  messages(email: string): Promise<Message[]>;
  keyRequests(email: string): Promise<KeyRequest[]>;
  mails(email: string): Promise<StoredMail[]>;
  removeMails(email: string): Promise<void>;
  /**
   * Deletes the person's presence, that is the rows that say which drafts they have open, and replaces their
   * name in jobs.
   */
  eraseActor(actor: string, erasedName: string): Promise<void>;
  writeEntry(entry: ReturnType<typeof auditEntryForChange> & { detail: string }): Promise<void>;
}

/** The stores that hold personal data. */
export interface PersonalDataStores extends PeopleStores {
  personalData: PersonalDataStore;
  messages: MessageStore;
  keyRequests: KeyRequestStore;
  keys: KeyStore;
  audit: AuditLog;
}

type KeptPasskey = Omit<Passkey, "credentialId" | "publicKey">;

/** The data stored about one person, without secrets and hashes. */
export interface StoredPersonalData {
  email: string;
  messages: Message[];
  keyRequests: Omit<KeyRequest, "code">[];
  keys: Key[];
  mails: StoredMail[];
  account:
    | (Admin & { hasSecondFactor: boolean; passkeys: KeptPasskey[]; sessions: Session[] })
    | null;
  /** The audit entries of the account's actions, oldest first. */
  actions: NumberedAuditEntry[];
  hasMoreActions: boolean;
  /** Whether `email` is also the contact address of the site. Only the settings can change that address. */
  isSiteContact: boolean;
}

/** Normalizes an e-mail address for the lookup. @throws {AppError} `invalid`. */
export const personEmailSchema = adminEmailSchema;

/**
 * Reads everything stored about the person with an e-mail address, ignoring case. Requires the scope to
 * manage accounts, because the result contains more than any screen shows. The audit log records the
 * lookup, but not the address. Call within a transaction.
 *
 * @throws {AppError} `forbidden`; `unconfirmed` if the person has to enter the password again.
 */
export async function exportPersonalData(
  stores: PersonalDataStores,
  actor: Actor,
  email: string,
  context: ChangeContext,
): Promise<StoredPersonalData> {
  requireScope(actor, "admins:manage");
  const kept = await readPersonalDataUnchecked(stores, email);
  const target = kept.account?.id ?? "visitor";
  const entry = auditEntryForChange("person.export", target, { actor, ...context });
  await stores.personalData.writeEntry({ ...entry, detail: formatPersonalDataCounts(kept) });
  return kept;
}

/** Reads the data of one person without a permission check. */
export async function readPersonalDataUnchecked(
  stores: PersonalDataStores,
  email: string,
): Promise<StoredPersonalData> {
  const { personalData } = stores;
  const account = await accountOf(stores, email);
  const actions = account === null ? [] : await actionsOf(stores.audit, account.id);
  const site = await stores.content.site();
  return {
    email,
    messages: await personalData.messages(email),
    keyRequests: (await personalData.keyRequests(email)).map(({ code: _, ...request }) => request),
    keys: await keysOf(stores.keys, email),
    mails: await personalData.mails(email),
    account,
    actions: actions.slice(0, ACTIONS_MAX),
    hasMoreActions: actions.length > ACTIONS_MAX,
    isSiteContact: site !== null && normalizeAccountEmail(site.contact.email) === email,
  };
}

/**
 * A text for the audit log: how many messages, key requests, keys and mails were found, and whether
 * there is an account.
 */
export function formatPersonalDataCounts({
  messages,
  keyRequests,
  keys,
  mails,
  account,
}: StoredPersonalData): string {
  return `messages: ${messages.length}; key requests: ${keyRequests.length}; keys: ${keys.length}; mails: ${mails.length}; account: ${account === null ? "no" : "yes"}`;
}

/** Whether there is nothing to export or erase. */
export function hasNoPersonalData({
  messages,
  keyRequests,
  keys,
  mails,
  account,
}: StoredPersonalData): boolean {
  const lists = [messages, keyRequests, keys, mails];
  return account === null && lists.every((list) => list.length === 0);
}

/** Keys whose contact or owner is the address. */
async function keysOf(keys: KeyStore, email: string): Promise<Key[]> {
  const found: Key[] = [];
  for await (const key of iterateKeysInIssueOrder(keys)) {
    if ([key.contact, key.owner].some((text) => normalizeAccountEmail(text) === email))
      found.push(key);
  }
  return found;
}

async function accountOf(
  { admins, sessions, secondFactors, passkeys }: PeopleStores,
  email: string,
): Promise<StoredPersonalData["account"]> {
  const admin = await admins.byEmail(email);
  if (admin === null) return null;
  return {
    ...admin,
    hasSecondFactor: (await secondFactors.of(admin.id)) !== null,
    passkeys: (await passkeys.ofAdmin(admin.id)).map(
      ({ credentialId: _id, publicKey: _key, ...passkey }) => passkey,
    ),
    sessions: await sessions.ofAdmin(admin.id),
  };
}

/** Reads one entry more than an export contains, so that the caller can detect omitted entries. */
async function actionsOf(audit: AuditLog, adminId: string): Promise<NumberedAuditEntry[]> {
  const entries: NumberedAuditEntry[] = [];
  for await (const { actorName: _, ...entry } of audit.streamAll({ actor: `person:${adminId}` })) {
    entries.push(entry);
    if (entries.length > ACTIONS_MAX) break;
  }
  return entries;
}
