import type { AuditEntry } from "../audit.ts";
import type { IdempotentResponseStore } from "../idempotent-responses.ts";
import type { MailStores } from "../submissions/submissions.ts";
import type { PasswordHash } from "./passwords.ts";
import type { Role } from "./roles.ts";

export const ADMIN_STATES = ["invited", "active", "disabled"] as const;

/** An administrator account. The password hash is stored separately. */
export interface Admin {
  id: string;
  /** Lower case and unique. */
  email: string;
  name: string;
  role: Role;
  /** `invited`: has not chosen a password yet. */
  state: (typeof ADMIN_STATES)[number];
  /** ISO 8601, UTC, like all times here. */
  createdAt: string;
  createdBy: string;
  changedAt: string;
  lastLoginAt: string | null;
}

/** Each change joins the current transaction. */
export interface AdminStore {
  byId(id: string): Promise<Admin | null>;
  byEmail(email: string): Promise<Admin | null>;
  /** Accounts in order of creation, after the id `after`; null: from the first account on. */
  page(options: { after: string | null; limit: number }): Promise<Admin[]>;
  activeOwners(): Promise<Admin[]>;
  passwordOf(id: string): Promise<PasswordHash | null>;
  insert(admin: Admin, password: PasswordHash, entry: AuditEntry): Promise<void>;
  /** Keeps the current password if `password` is null. */
  update(admin: Admin, password: PasswordHash | null, entry: AuditEntry): Promise<void>;
  noteLogin(id: string, at: string): Promise<void>;
}

/** A signed-in browser. Only the hash of its token is stored. */
export interface Session {
  id: string;
  adminId: string;
  /** `second_factor`: the password was right; the second factor has not been checked yet. */
  stage: "second_factor" | "open";
  /** The `User-Agent` header at sign-in. */
  device: string;
  /** Network address at sign-in. */
  network: string;
  /** ISO 8601, UTC, like all times here. */
  createdAt: string;
  /** When the session was last used, to the minute. */
  usedAt: string;
  /** When the person signed in or last entered the password again. */
  confirmedAt: string;
  /** The latest time at which the session ends. An unused session ends earlier. */
  expiresAt: string;
}

/** Each change joins the current transaction. */
export interface SessionStore {
  byHash(hash: string): Promise<Session | null>;
  /** The sessions of an account, oldest first. */
  ofAdmin(adminId: string): Promise<Session[]>;
  insert(session: Session, hash: string, entry: AuditEntry): Promise<void>;
  noteUse(id: string, usedAt: string): Promise<void>;
  noteConfirmed(id: string, confirmedAt: string): Promise<void>;
  remove(id: string, entry: AuditEntry | null): Promise<void>;
  removeOf(adminId: string): Promise<void>;
  /** Removes sessions past their `expiresAt`. */
  removeExpired(now: Date): Promise<void>;
}

/** A single-use code that lets a person choose a password; stored as a hash. */
export interface AdminCode {
  id: string;
  /** The account whose password the code sets; null: the code sets up the first account. */
  adminId: string | null;
  /** ISO 8601, UTC. */
  createdAt: string;
  createdBy: string;
  expiresAt: string;
}

/** Each change joins the current transaction. */
export interface AdminCodeStore {
  byHash(hash: string): Promise<AdminCode | null>;
  /** Stores a code. Replaces an earlier code of the same account. */
  put(code: AdminCode, hash: string, entry: AuditEntry | null): Promise<void>;
  /** Removes the code of an account; null removes the setup code. */
  removeOf(adminId: string | null): Promise<void>;
  removeExpired(now: Date): Promise<void>;
}

/** The authenticator app of an account. */
export interface SecondFactor {
  adminId: string;
  /** Base32. */
  secret: string;
  /** ISO 8601, UTC; null: no code has yet confirmed that the app has the secret. */
  confirmedAt: string | null;
  /** The number of the 30-second step of the last accepted code, counted from 1970. */
  lastStep: number;
  /** SHA-256 of the unused recovery codes. */
  recoveryHashes: readonly string[];
}

/** Each change joins the current transaction. */
export interface SecondFactorStore {
  of(adminId: string): Promise<SecondFactor | null>;
  /** Returns the ids in `adminIds` whose accounts have a second factor turned on. */
  confirmedAmong(adminIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Inserts or replaces the second factor of an account. */
  put(factor: SecondFactor, entry: AuditEntry | null): Promise<void>;
  remove(adminId: string, entry: AuditEntry): Promise<void>;
}

/** A credential with which a device or password manager signs a person in (WebAuthn). */
export interface Passkey {
  id: string;
  adminId: string;
  /** The name that the person gave the passkey. */
  name: string;
  /** Base64url. */
  credentialId: string;
  /** COSE key as base64url. */
  publicKey: string;
  /** The device's count of its signatures; 0: the device keeps no count. */
  counter: number;
  /** Whether the passkey exists on more than one device, as in a password manager. */
  isBackedUp: boolean;
  /** The host that the passkey was made for. The passkey works on no other host. */
  host: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** When the passkey was last used to sign in; null: never. */
  usedAt: string | null;
}

/** A challenge that has no response yet. */
export interface PasskeyChallenge {
  /** Hash of the secret that the browser keeps; the challenge is derived from that secret. */
  hash: string;
  /** The account that adds a passkey; null: the challenge is for a sign-in. */
  adminId: string | null;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

/** Each change joins the current transaction. */
export interface PasskeyStore {
  /** The passkeys of an account, oldest first. */
  ofAdmin(adminId: string): Promise<Passkey[]>;
  /** Returns the ids in `adminIds` whose accounts have a passkey. */
  holdersAmong(adminIds: readonly string[]): Promise<ReadonlySet<string>>;
  byCredential(credentialId: string): Promise<Passkey | null>;
  insert(passkey: Passkey, entry: AuditEntry): Promise<void>;
  noteUse(id: string, use: Pick<Passkey, "counter" | "isBackedUp" | "usedAt">): Promise<void>;
  remove(id: string, entry: AuditEntry): Promise<void>;
  putChallenge(challenge: PasskeyChallenge): Promise<void>;
  /** Removes the challenge and returns it, so that each challenge works only once. */
  takeChallenge(hash: string): Promise<PasskeyChallenge | null>;
  removeExpiredChallenges(now: Date): Promise<void>;
}

/** A person's settings for the daily mail about waiting work. */
export interface DigestSettings {
  adminId: string;
  isOn: boolean;
  /** BCP 47, from the last sign-in, such as `de`; empty: unknown. */
  language: string;
  /** ISO 8601, UTC: when this person's waiting work was last checked; null: never. */
  checkedAt: string | null;
}

/** Each change joins the current transaction. */
export interface DigestStore {
  /** Returns the defaults, with the mail turned on, until settings are stored. */
  of(adminId: string): Promise<DigestSettings>;
  ofEach(adminIds: readonly string[]): Promise<DigestSettings[]>;
  /** Inserts or replaces the settings of a person. */
  put(settings: DigestSettings, entry: AuditEntry | null): Promise<void>;
}

/** An attempt to sign in or to use a code, stored to limit guessing. */
export interface SignInAttempt {
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  /**
   * Identifies what the attempt tried to guess: a hash of the secret's type, such as `password`, and of the
   * account, if the secret belongs to an account.
   */
  subject: string;
  network: string;
}

/** Each change joins the current transaction. */
export interface SignInAttemptStore {
  /** A network's attempts after `since`, oldest first. */
  ofNetwork(network: string, since: Date): Promise<SignInAttempt[]>;
  /**
   * The number of attempts on a subject after `since`, from all networks together; at most `max`.
   */
  countOf(subject: string, since: Date, max: number): Promise<number>;
  insert(attempt: SignInAttempt): Promise<void>;
  /** Deletes a network's attempts on a subject. */
  forget(subject: string, network: string): Promise<void>;
  deleteBefore(time: Date): Promise<void>;
}

/** The stores of accounts and everything that belongs to them. */
export interface PeopleStores extends MailStores {
  admins: AdminStore;
  adminCodes: AdminCodeStore;
  sessions: SessionStore;
  secondFactors: SecondFactorStore;
  passkeys: PasskeyStore;
  digests: DigestStore;
  signInAttempts: SignInAttemptStore;
  idempotentResponses: Pick<IdempotentResponseStore, "find" | "store">;
}

/**
 * The stores for use outside a transaction. `atomically` runs `change` in one transaction and passes it the
 * stores to use there.
 */
export interface PeopleRecord extends PeopleStores {
  atomically<T>(change: (stores: PeopleStores) => Promise<T>): Promise<T>;
}

/** Where a person's request comes from. */
export interface RequestingClient {
  /** IP address. */
  address: string;
  /** The `User-Agent` header. */
  device: string;
}
