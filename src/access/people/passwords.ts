import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../errors.ts";
import { describeNewPasswordError } from "./password-rules.ts";

/** Argon2id parameters of OWASP's Password Storage Cheat Sheet; memory in KiB. */
const ARGON2_COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PASSWORD_CHARACTERS_MAX = 200;
const PHC_PATTERN =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;
/** Limit of concurrent hashes: each takes 19 MiB and a thread of the shared pool. */
const CONCURRENT_HASHES_MAX = 2;
const WAITING_MAX = 40;
const RETRY_SECONDS = 5;

const deriveTag = promisify(argon2);

/** The only stored form of a password. */
export interface PasswordHash {
  /** Argon2id in the PHC string format: parameters, salt and tag. Empty: no password matches. */
  phc: string;
}

/** The hash of an account that has no password. */
export const NO_PASSWORD: PasswordHash = { phc: "" };

/**
 * Checks and hashes a new password. Takes about 40 ms on another thread, so never call it within a
 * transaction.
 *
 * @param about the name and e-mail address of the person, and the name of the site.
 * @throws {AppError} `invalid` for a password that is too short or easy to guess; `unavailable` when too
 * many passwords wait to be hashed.
 */
export async function hashNewPassword(
  password: string,
  about: readonly string[],
): Promise<PasswordHash> {
  const fault = await describeNewPasswordError(password, about);
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
 * Whether a password matches a hash. Takes the same time in all cases, even if the hash is null.
 *
 * @throws {AppError} `unavailable` when too many passwords wait to be hashed.
 */
export async function isCorrectPassword(
  password: string,
  hash: PasswordHash | null,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", tag = ""] =
    PHC_PATTERN.exec(hash?.phc ?? "") ?? [];
  const isTooLong = password.length > PASSWORD_CHARACTERS_MAX;
  const candidate = isTooLong ? "" : password;
  if (memory === undefined) {
    await argon2Tag(candidate, { ...ARGON2_COST, salt: randomBytes(SALT_BYTES) });
    return false;
  }
  const computed = await argon2Tag(candidate, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
  });
  return timingSafeEqual(computed, Buffer.from(tag, "base64")) && !isTooLong;
}

/** Normalizes Unicode first, because keyboards compose the same characters in different ways. */
async function argon2Tag(
  password: string,
  { salt, ...cost }: typeof ARGON2_COST & { salt: Uint8Array },
): Promise<Buffer> {
  await waitForTurn();
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
 * Waits until fewer than {@link CONCURRENT_HASHES_MAX} hashes are being computed.
 *
 * @throws {AppError} `unavailable` when too many are waiting.
 */
async function waitForTurn(): Promise<void> {
  if (runningHashes < CONCURRENT_HASHES_MAX) {
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
