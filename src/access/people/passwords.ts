import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../errors.ts";
import { passwordFault } from "./password-rules.ts";

/** Argon2id parameters of OWASP's Password Storage Cheat Sheet; memory in KiB. */
const ARGON2_COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PASSWORD_CHARACTERS_MAX = 200;
const PHC_PATTERN =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;
/** Hashes computed at the same time: each takes 19 MiB and a thread of the shared pool. */
const HASHING_AT_ONCE = 2;
const WAITING_MAX = 40;
const RETRY_SECONDS = 5;

const deriveTag = promisify(argon2);

/** The only stored form of a password. */
export interface PasswordHash {
  /** Argon2id in the PHC string format: parameters, salt and tag; empty: every password is refused. */
  phc: string;
}

/** The hash of an account that has no password. */
export const NO_PASSWORD: PasswordHash = { phc: "" };

/**
 * Checks and hashes a new password. Takes about 40 ms on another thread, so never call it within a
 * transaction.
 *
 * @param about texts about the person that must not be the password.
 * @throws {AppError} `invalid` for a password that is too short or easy to guess; `unavailable` when too
 * many passwords wait to be hashed.
 */
export async function hashNewPassword(
  password: string,
  about: readonly string[],
): Promise<PasswordHash> {
  const fault = await passwordFault(password, about);
  if (fault !== null) {
    throw new AppError(
      "invalid",
      {
        en: `Cannot take this password: it ${fault.en}`,
        de: `Dieses Passwort geht nicht: Es ${fault.de}`,
      },
      {
        problems: [{ where: "password", message: fault }],
      },
    );
  }
  const salt = randomBytes(SALT_BYTES);
  const tag = await argon2Tag(password, { ...ARGON2_COST, salt });
  const { memory, passes, parallelism } = ARGON2_COST;
  const parameters = `m=${memory},t=${passes},p=${parallelism}`;
  return { phc: `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(tag)}` };
}

/**
 * Checks a password. Takes the same time whether it matches, does not match, or the hash is null.
 *
 * @throws {AppError} `unavailable` when too many passwords wait to be hashed.
 */
export async function isPassword(password: string, hash: PasswordHash | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", tag = ""] =
    PHC_PATTERN.exec(hash?.phc ?? "") ?? [];
  const isTooLong = password.length > PASSWORD_CHARACTERS_MAX;
  const tried = isTooLong ? "" : password;
  if (memory === undefined) {
    await argon2Tag(tried, { ...ARGON2_COST, salt: randomBytes(SALT_BYTES) });
    return false;
  }
  const found = await argon2Tag(tried, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
  });
  return timingSafeEqual(found, Buffer.from(tag, "base64")) && !isTooLong;
}

/** Normalises Unicode first, so that keyboards that compose characters differently give the same tag. */
async function argon2Tag(
  password: string,
  { salt, ...cost }: typeof ARGON2_COST & { salt: Uint8Array },
): Promise<Buffer> {
  await hashingTurn();
  try {
    const message = Buffer.from(password.normalize("NFKC"));
    return await deriveTag("argon2id", { ...cost, message, nonce: salt, tagLength: TAG_BYTES });
  } finally {
    const next = waitingHashes.shift();
    if (next === undefined) runningHashes -= 1;
    else next();
  }
}

let runningHashes = 0;
const waitingHashes: (() => void)[] = [];

/**
 * Resolves when fewer than two others are running.
 *
 * @throws {AppError} `unavailable` when too many wait.
 */
async function hashingTurn(): Promise<void> {
  if (runningHashes < HASHING_AT_ONCE) {
    runningHashes += 1;
    return;
  }
  if (waitingHashes.length >= WAITING_MAX) {
    throw new AppError(
      "unavailable",
      {
        en: "Too many people are signing in: try again in a moment",
        de: "Gerade melden sich zu viele Leute an: Versuchen Sie es gleich noch einmal",
      },
      {
        retryAfterSeconds: RETRY_SECONDS,
      },
    );
  }
  await new Promise<void>((resolve) => waitingHashes.push(resolve));
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}
