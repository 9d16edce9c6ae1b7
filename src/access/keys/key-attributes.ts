import {
  AppError,
  englishOnlyWording,
  inputError,
  type Problem,
  type Wording,
} from "../../errors.ts";
import { SCOPES, type Scope } from "../actor.ts";
import { redactIssuedSecrets, SECRET_IN_INPUT_ERROR } from "../credentials.ts";
import { findInvalidNetworks } from "./networks.ts";

export const RATE_PER_MINUTE_DEFAULT = 60;
const RATE_PER_MINUTE_MAX = 100_000;
const NAME_CHARACTERS_MAX = 200;
const TEXT_CHARACTERS_MAX = 2000;
const NETWORKS_MAX = 100;
/** Matches control characters, which are refused because they could alter terminal output. */
const CONTROL_CHARACTER = /\p{Cc}/u;
const CONTROL_CHARACTER_IN_LINES = /[^\P{Cc}\t\n]/u;

/** The members of a key that its issuer chooses. */
export interface KeyAttributes {
  name: string;
  owner: string;
  contact: string;
  purpose: string;
  scopes: readonly Scope[];
  ratePerMinute: number;
  /** CIDR blocks from which the key may be used. An empty list allows all networks. */
  networks: readonly string[];
  /** Names of the tools the key may call; empty: all. */
  tools: readonly string[];
  /** ISO 8601, UTC; null: never expires. */
  expiresAt: string | null;
}

/** Trims texts and converts them to NFC. Sorts scopes and tools, and removes duplicates. */
export function normalizeKeyAttributes(statement: KeyAttributes): KeyAttributes {
  return {
    ...statement,
    name: statement.name.normalize("NFC").trim(),
    owner: statement.owner.normalize("NFC").trim(),
    contact: statement.contact.normalize("NFC").trim(),
    purpose: statement.purpose.normalize("NFC").trim(),
    scopes: SCOPES.filter((scope) => statement.scopes.includes(scope)),
    tools: [...new Set(statement.tools)].sort(),
  };
}

/** @throws {AppError} `invalid`, listing every fault; the message starts with the text of `cannot`. */
export function requireValidKeyAttributes(
  statement: KeyAttributes,
  now: Date,
  cannot: Wording,
): void {
  const problems = [
    ...textFaults(statement),
    ...limitFaults(statement),
    ...findInvalidNetworks(statement.networks),
    ...expiryFaults(statement, now),
  ];
  if (problems.length > 0) throw inputError(cannot, problems);
}

const CONTROL_FAULT: Wording = {
  en: "has control characters, which cannot be shown: leave them out",
  de: "enthält Steuerzeichen, die sich nicht anzeigen lassen: Lassen Sie sie weg",
};

function tooLong(charactersMax: number): Wording {
  return {
    en: `is longer than ${charactersMax} characters`,
    de: `ist länger als ${charactersMax} Zeichen`,
  };
}

function textFaults({ name, owner, contact, purpose }: KeyAttributes): Problem[] {
  const lines = Object.entries({ name, owner, contact }).map(
    ([where, text]) => [where, text, CONTROL_CHARACTER] as const,
  );
  const texts = [...lines, ["purpose", purpose, CONTROL_CHARACTER_IN_LINES] as const];
  const problems = texts.flatMap(([where, text, forbidden]) => {
    const charactersMax = where === "name" ? NAME_CHARACTERS_MAX : TEXT_CHARACTERS_MAX;
    if (text.length > charactersMax) {
      return [{ where, message: tooLong(charactersMax) }];
    }
    if (redactIssuedSecrets(text) !== text) {
      return [{ where, message: SECRET_IN_INPUT_ERROR }];
    }
    return forbidden.test(text) ? [{ where, message: CONTROL_FAULT }] : [];
  });
  return name === ""
    ? [{ where: "name", message: { en: "is empty", de: "fehlt" } }, ...problems]
    : problems;
}

/**
 * Checks that all tools exist, so that a typo does not make a key useless.
 *
 * @throws {AppError} `invalid`, naming the existing tools.
 */
export function requireKnownTools(tools: readonly string[], known: readonly string[]): void {
  const unknown = tools.filter((tool) => !known.includes(tool));
  if (unknown.length === 0) return;
  const message = `there is no ${unknown.join(", ").slice(0, 200)}; the tools are ${known.join(", ")}`;
  throw new AppError(
    "invalid",
    englishOnlyWording(`Cannot limit a key to these tools: ${message}`),
    {
      problems: [{ where: "tools", message: englishOnlyWording(message) }],
    },
  );
}

/** Times are compared as texts, so a year of more than four digits is refused. */
function expiryFaults({ expiresAt }: KeyAttributes, now: Date): Problem[] {
  if (expiresAt === null) return [];
  if (expiresAt.startsWith("+")) {
    const message = { en: "lies after the year 9999", de: "liegt nach dem Jahr 9999" };
    return [{ where: "expiresAt", message }];
  }
  if (expiresAt > now.toISOString()) return [];
  const message = { en: "lies in the past", de: "liegt in der Vergangenheit" };
  return [{ where: "expiresAt", message }];
}

function limitFaults({ scopes, ratePerMinute, networks, tools }: KeyAttributes): Problem[] {
  const problems: Problem[] = [];
  if (scopes.length === 0) {
    problems.push({
      where: "scopes",
      message: {
        en: "a key without a scope opens nothing",
        de: "Ohne ein Recht öffnet ein Schlüssel nichts: Wählen Sie mindestens eins",
      },
    });
  }
  if (
    !Number.isInteger(ratePerMinute) ||
    ratePerMinute < 1 ||
    ratePerMinute > RATE_PER_MINUTE_MAX
  ) {
    const message = {
      en: `give a whole number from 1 to ${RATE_PER_MINUTE_MAX}`,
      de: `Geben Sie eine ganze Zahl von 1 bis ${RATE_PER_MINUTE_MAX} an`,
    };
    problems.push({ where: "ratePerMinute", message });
  }
  if (tools.length > 0 && !scopes.includes("mcp:read")) {
    problems.push({
      where: "tools",
      message: {
        en: "only a key with the scope mcp:read calls tools",
        de: "Nur ein Schlüssel mit dem Recht mcp:read ruft Werkzeuge auf",
      },
    });
  }
  if (networks.length > NETWORKS_MAX) {
    problems.push({
      where: "networks",
      message: {
        en: `has more than ${NETWORKS_MAX} entries`,
        de: `hat mehr als ${NETWORKS_MAX} Einträge`,
      },
    });
  }
  return problems;
}
