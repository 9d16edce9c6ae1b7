import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHARED_PREFIX = "cpl";
const KEY_PREFIX = "cpl_";
const CLAIM_CODE_PREFIX = "cplc_";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const KEY = /^cpl_[0-9A-Za-z]{38}$/;
const EVERY_LOOKALIKE = /cplc?_([0-9A-Za-z]{38})/g;

/** A new access key: the prefix lets scanners find it, the checksum tells it from a lookalike. */
export function mintKey(): string {
  return mint(KEY_PREFIX);
}

/** A new code with which its holder gets a key, once. */
export function mintClaimCode(): string {
  return mint(CLAIM_CODE_PREFIX);
}

/** Could this be a key we minted? Spares a look into the store for text that never was one. */
export function hasKeyChecksum(text: string): boolean {
  return KEY.test(text) && hasChecksum(text.slice(KEY_PREFIX.length));
}

/**
 * Does a key or claim code that we could have minted stand in a text? Whoever reads the text could
 * use it. What only looks like one, as the example of a manual, may stand there.
 */
export function holdsKey(text: string): boolean {
  // Most texts hold none, and this is asked of every text of a request.
  if (!text.includes(SHARED_PREFIX)) return false;
  return [...text.matchAll(EVERY_LOOKALIKE)].some(([, found = ""]) => hasChecksum(found));
}

/** SHA-256 as 64 hexadecimal digits: all that is kept of a secret of ours. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "hex");
}

function mint(prefix: string): string {
  const body = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(62)]).join("");
  return prefix + body + checksumOf(body);
}

/** What follows the prefix: does it end with the checksum of the rest? */
function hasChecksum(characters: string): boolean {
  return characters.endsWith(checksumOf(characters.slice(0, RANDOM_CHARACTERS)));
}

/** CRC-32 of the random part in base 62. */
function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let position = 0; position < CHECKSUM_CHARACTERS; position += 1) {
    digits = (ALPHABET[rest % 62] ?? "") + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
