import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { z } from "zod";

const PASSWORD_CHARACTERS_MIN = 12;
const PASSWORD_CHARACTERS_MAX = 200;
const DIFFERENT_CHARACTERS_MIN = 5;
/** Argon2id parameters of OWASP's Password Storage Cheat Sheet; memory in KiB. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const PHC =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

const derive = promisify(argon2);

/** A new password, long enough to resist guessing from its hash. */
export const passwordSchema = z
  .string()
  .refine((password) => [...password].length >= PASSWORD_CHARACTERS_MIN, {
    error: `must have at least ${PASSWORD_CHARACTERS_MIN} characters; a few words in a row will do`,
  })
  .max(PASSWORD_CHARACTERS_MAX)
  .refine((password) => new Set(password).size >= DIFFERENT_CHARACTERS_MIN, {
    error: "is too easy to guess",
  });

/** The only stored form of a password. */
export interface PasswordHash {
  /** Argon2id in the PHC string format: parameters, salt and tag. */
  phc: string;
}

/** Takes about 40 ms on another thread, so never call it within a transaction. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await tagOf(password, { ...COST, salt });
  const { memory, passes, parallelism } = COST;
  const parameters = `m=${memory},t=${passes},p=${parallelism}`;
  return { phc: `$argon2id$v=19$${parameters}$${unpadded(salt)}$${unpadded(tag)}` };
}

/** Takes the same time whether or not it matches. */
export async function isPassword(password: string, { phc }: PasswordHash): Promise<boolean> {
  const [, memory, passes, parallelism, salt = "", tag = ""] = PHC.exec(phc) ?? [];
  const expected = Buffer.from(tag, "base64");
  if (expected.length !== TAG_BYTES || password.length > PASSWORD_CHARACTERS_MAX) return false;
  const found = await tagOf(password, {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, "base64"),
  });
  return timingSafeEqual(found, expected);
}

/** Normalises first, so that keyboards that compose characters differently agree. */
async function tagOf(
  password: string,
  { salt, ...cost }: typeof COST & { salt: Uint8Array },
): Promise<Buffer> {
  const message = Buffer.from(password.normalize("NFKC"));
  return await derive("argon2id", { ...cost, message, nonce: salt, tagLength: TAG_BYTES });
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}
