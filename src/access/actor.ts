import { AppError, type Wording } from "../errors.ts";

/** Every scope that a key can have. `mcp:read` gives access only to the MCP service. */
export const SCOPES = [
  "mcp:read",
  "content:read",
  "content:write",
  "content:publish",
  "media:write",
  "keys:manage",
  "requests:manage",
  "settings:write",
  "admins:manage",
  "audit:read",
  "webhooks:manage",
  "transfer:run",
  "metrics:read",
] as const;

export type Scope = (typeof SCOPES)[number];

/** Descriptions of what each scope allows, as shown on screens. */
export const SCOPE_DESCRIPTIONS: Readonly<Record<Scope, Wording>> = {
  "mcp:read": {
    en: "read what is public, with the tools for agents",
    de: "Öffentliches lesen, mit den Werkzeugen für Agenten",
  },
  "content:read": {
    en: "read all content, drafts too",
    de: "alle Inhalte lesen, auch Entwürfe",
  },
  "content:write": { en: "write and change drafts", de: "Entwürfe schreiben und ändern" },
  "content:publish": {
    en: "publish, withdraw and redirect",
    de: "veröffentlichen, zurückziehen und weiterleiten",
  },
  "media:write": {
    en: "add and change pictures and files",
    de: "Bilder und Dateien hinzufügen und ändern",
  },
  "keys:manage": { en: "issue and revoke keys", de: "Schlüssel ausstellen und widerrufen" },
  "requests:manage": {
    en: "answer messages and requests for keys",
    de: "Nachrichten und Schlüsselanfragen beantworten",
  },
  "settings:write": {
    en: "change the settings and the look of the site",
    de: "Einstellungen und Erscheinungsbild der Website ändern",
  },
  "admins:manage": {
    en: "invite people and change their roles",
    de: "Personen einladen und ihre Rollen ändern",
  },
  "audit:read": { en: "read the log", de: "das Protokoll lesen" },
  "webhooks:manage": { en: "set up webhooks", de: "Webhooks einrichten" },
  "transfer:run": {
    en: "import and export all content",
    de: "alle Inhalte importieren und exportieren",
  },
  "metrics:read": {
    en: "read the measurements of the server",
    de: "die Messwerte des Servers lesen",
  },
};

/**
 * The caller. An `operator` runs commands on the machine and needs no key; the `clock` runs
 * scheduled changes.
 */
export type Actor =
  | { kind: "visitor" }
  | { kind: "operator" }
  | { kind: "clock" }
  | KeyActor
  | PersonActor;

/** An administrator with a session. */
export interface PersonActor {
  kind: "person";
  adminId: string;
  name: string;
  /** The scopes of the person's current role. */
  scopes: readonly Scope[];
  /** Whether the person signed in or entered the password within the last 15 minutes. */
  isConfirmed: boolean;
}

export interface KeyActor {
  kind: "key";
  keyId: string;
  name: string;
  scopes: readonly Scope[];
  ratePerMinute: number;
  /** ISO 8601, UTC; null if the key never expires. */
  expiresAt: string | null;
  /** CIDR blocks from which the key may be used. An empty list allows all networks. */
  networks: readonly string[];
  /** Tools the key may call; empty: all. */
  tools: readonly string[];
}

/**
 * Scopes that also require a password entered within the last 15 minutes, to limit the harm of a
 * stolen session.
 */
const CONFIRMED_SCOPES: ReadonlySet<Scope> = new Set(["keys:manage", "admins:manage"]);

/**
 * @throws {AppError} `forbidden`, naming the scope; `unauthenticated` for a visitor; `unconfirmed` when a
 * person has to enter the password again.
 */
export function requireScope(actor: Actor, scope: Scope): void {
  if (actor.kind === "operator" || actor.kind === "clock") return;
  if (actor.kind === "visitor")
    throw new AppError("unauthenticated", {
      en: "This needs a key",
      de: "Dafür braucht es einen Schlüssel",
    });
  if (!actor.scopes.includes(scope)) {
    const subject = actor.kind === "key" ? "This key" : "Your role";
    throw new AppError("forbidden", {
      en: `${subject} lacks the scope ${scope}`,
      de: `Ihre Rolle erlaubt nicht: ${SCOPE_DESCRIPTIONS[scope].de}. Bitten Sie eine Inhaberin oder einen Inhaber der Website`,
    });
  }
  if (CONFIRMED_SCOPES.has(scope)) requireRecentConfirmation(actor);
}

/** Whether the actor has a scope. Does not require a recently entered password. */
export function hasScope(actor: Actor, scope: Scope): boolean {
  switch (actor.kind) {
    case "operator":
    case "clock":
      return true;
    case "visitor":
      return false;
    default:
      return actor.scopes.includes(scope);
  }
}

/** @throws {AppError} `unconfirmed` when a person has to enter the password again. */
export function requireRecentConfirmation(actor: Actor): void {
  if (actor.kind !== "person" || actor.isConfirmed) return;
  throw new AppError("unconfirmed", {
    en: "Enter your password again: this needs one entered within the last 15 minutes",
    de: "Geben Sie Ihr Passwort noch einmal ein: Dafür muss es in den letzten 15 Minuten eingegeben worden sein",
  });
}

/** The actor's name in the audit log. */
export function actorName(actor: Actor): string {
  switch (actor.kind) {
    case "key":
      return `key:${actor.keyId}`;
    case "person":
      return `person:${actor.adminId}`;
    default:
      return actor.kind;
  }
}
