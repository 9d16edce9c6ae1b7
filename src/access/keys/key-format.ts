import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const BASE62_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHARED_PREFIX = "cpl";
const KEY_PREFIX = "cpl_";
const CLAIM_CODE_PREFIX = "cplc_";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const WHOLE_KEY = /^cpl_[0-9A-Za-z]{38}$/;
const POSSIBLE_KEYS = /cplc?_([0-9A-Za-z]{38})/g;

/**
 * Creates an access key. Secret scanners recognise its prefix. The checksum distinguishes real keys
 * from lookalikes.
 */
export function mintKey(): string {
  return mint(KEY_PREFIX);
}

/** Creates a single-use code that its holder exchanges for a key, or uses to choose a password. */
export function mintClaimCode(): string {
  return mint(CLAIM_CODE_PREFIX);
}

/** Whether the text has the format and checksum of a key. If not, a lookup is unnecessary. */
export function hasKeyChecksum(text: string): boolean {
  return WHOLE_KEY.test(text) && hasChecksum(text.slice(KEY_PREFIX.length));
}

/** Whether a text contains a key or claim code. Ignores examples, which have a wrong checksum. */
export function containsKey(text: string): boolean {
  // Fast path, because this runs on every text of a request.
  if (!text.includes(SHARED_PREFIX)) return false;
  return [...text.matchAll(POSSIBLE_KEYS)].some(([, found = ""]) => hasChecksum(found));
}

/** Whether the whole text is a claim code. */
export function isClaimCode(text: string): boolean {
  return text.startsWith(CLAIM_CODE_PREFIX) && hasChecksum(text.slice(CLAIM_CODE_PREFIX.length));
}

/** SHA-256 as 64 hexadecimal digits, the only form in which secrets are stored. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

function mint(prefix: string): string {
  const randomPart = Array.from(
    { length: RANDOM_CHARACTERS },
    () => BASE62_ALPHABET[randomInt(62)],
  ).join("");
  return prefix + randomPart + checksumOf(randomPart);
}

/** Whether the characters after the prefix end with the checksum of the random part. */
function hasChecksum(characters: string): boolean {
  return characters.endsWith(checksumOf(characters.slice(0, RANDOM_CHARACTERS)));
}

/** CRC-32 of the random part, in base 62. */
function checksumOf(randomPart: string): string {
  let rest = crc32(randomPart);
  let digits = "";
  for (let position = 0; position < CHECKSUM_CHARACTERS; position += 1) {
    digits = (BASE62_ALPHABET[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
