/** Size of the blocks of a tar file. Headers and file contents are padded to whole blocks. */
export const TAR_BLOCK_BYTES = 512;

/** The largest size that the octal digits of the header can express. */
const OCTAL_BYTES_MAX = 8 ** 11 - 1;
const NAME_BYTES_MAX = 100;

const NAME = { at: 0, bytes: NAME_BYTES_MAX };
const MODE = { at: 100, bytes: 8 };
const OWNER = { at: 108, bytes: 8 };
const GROUP = { at: 116, bytes: 8 };
const SIZE = { at: 124, bytes: 12 };
const MODIFIED = { at: 136, bytes: 12 };
const CHECKSUM = { at: 148, bytes: 8 };
const KIND = { at: 156, bytes: 1 };
const MAGIC = { at: 257, bytes: 8 };

/**
 * First byte of the size field if the size is binary instead of octal. GNU tar introduced binary
 * sizes, and other programs support them.
 */
const BINARY_FLAG = 0x80;

export interface TarEntry {
  /** A path with `/` as separator. */
  name: string;
  bytes: number;
}

/** Returns the header of a file in the POSIX (ustar) format. */
export function encodeTarHeader({ name, bytes }: TarEntry, modifiedAt: Date): Buffer {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new Error(`Too long for tar: ${name}`);
  const header = Buffer.alloc(TAR_BLOCK_BYTES);
  header.write(name, NAME.at);
  writeOctal(header, MODE, 0o600);
  writeOctal(header, OWNER, 0);
  writeOctal(header, GROUP, 0);
  writeSize(header, bytes);
  writeOctal(header, MODIFIED, Math.floor(modifiedAt.getTime() / 1000));
  header.write("0", KIND.at);
  header.write("ustar\u000000", MAGIC.at, "latin1");
  writeOctal(header, { ...CHECKSUM, bytes: CHECKSUM.bytes - 1 }, checksumOf(header));
  header.write(" ", CHECKSUM.at + CHECKSUM.bytes - 1);
  return header;
}

/** Returns null if the header is damaged or describes something other than a file. */
export function readTarHeader(header: Buffer): TarEntry | null {
  const bytes = readSize(header);
  const kind = header[KIND.at];
  const isFile = kind === 0 || kind === "0".charCodeAt(0);
  if (!isFile || bytes === null || readOctal(header, CHECKSUM) !== checksumOf(header)) return null;
  return { name: textAt(header, NAME), bytes };
}

/** Number of zero bytes that fill the last block of a file. */
export function tarPaddingLength(bytes: number): number {
  return (TAR_BLOCK_BYTES - (bytes % TAR_BLOCK_BYTES)) % TAR_BLOCK_BYTES;
}

/** The sum of all bytes, with each byte of the checksum field counted as a space. */
function checksumOf(header: Buffer): number {
  let sum = CHECKSUM.bytes * " ".charCodeAt(0);
  for (const [at, byte] of header.entries()) {
    if (at < CHECKSUM.at || at >= CHECKSUM.at + CHECKSUM.bytes) sum += byte;
  }
  return sum;
}

function writeSize(header: Buffer, bytes: number): void {
  if (bytes <= OCTAL_BYTES_MAX) {
    writeOctal(header, SIZE, bytes);
  } else {
    header[SIZE.at] = BINARY_FLAG;
    header.writeBigUInt64BE(BigInt(bytes), SIZE.at + SIZE.bytes - 8);
  }
}

function readSize(header: Buffer): number | null {
  if (header[SIZE.at] !== BINARY_FLAG) return readOctal(header, SIZE);
  const bytes = Number(header.readBigUInt64BE(SIZE.at + SIZE.bytes - 8));
  return Number.isSafeInteger(bytes) ? bytes : null;
}

function writeOctal(header: Buffer, field: typeof SIZE, value: number): void {
  const digits = value.toString(8).padStart(field.bytes - 1, "0");
  header.write(`${digits}\0`, field.at, "latin1");
}

function readOctal(header: Buffer, field: typeof SIZE): number | null {
  const text = textAt(header, field).trim();
  return /^[0-7]+$/.test(text) ? Number.parseInt(text, 8) : null;
}

/** Returns the text of a field, which ends at its first zero byte. */
function textAt(header: Buffer, { at, bytes }: typeof SIZE): string {
  const field = header.subarray(at, at + bytes);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? bytes : end);
}
