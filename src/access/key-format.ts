import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_PREFIX = "cpl_";
const CLAIM_CODE_PREFIX = "cplc_";
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const KEY = /^cpl_[0-9A-Za-z]{38}$/;

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
  if (!KEY.test(text)) return false;
  const body = text.slice(KEY_PREFIX.length, KEY_PREFIX.length + RANDOM_CHARACTERS);
  return text.endsWith(checksumOf(body));
}

/** SHA-256 as 64 hexadecimal digits: all that is kept of a secret of ours. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function mint(prefix: string): string {
  const body = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET[randomInt(62)]).join("");
  return prefix + body + checksumOf(body);
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
