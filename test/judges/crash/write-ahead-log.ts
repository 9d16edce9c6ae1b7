/** See https://www.sqlite.org/fileformat2.html, section 4. */
const MAGIC = 0x377f0682;
const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const FILE_FORMAT = "SQLite format 3\0";
/** Offset of the read version in the header of a database. */
const READ_VERSION_AT = 19;
const PAGE_BYTES_AT = 16;
const WAL_VERSION = 2;
const PAGE_BYTES_MAX = 65_536;

/** Pages of complete transactions by number, and the size of the database in pages after the last one. */
interface Committed {
  pages: Map<number, Buffer>;
  count: number;
}

/**
 * A database with what SQLite would take from its write-ahead log. Null if that is uncertain: another kind of
 * database, no header, or a log that belongs to other pages.
 */
export function databaseAsRead(database: Buffer, log: Buffer): Buffer | null {
  const pageBytes = pageBytesOf(database);
  if (pageBytes === null || !isWholeHeader(log) || log.readUInt32BE(8) !== pageBytes) return null;
  const { pages, count } = committedIn(log, pageBytes);
  if (pages.size === 0) return database;
  const read = Buffer.alloc(count * pageBytes);
  database.copy(read);
  for (const [number, page] of pages)
    if (number <= count) page.copy(read, (number - 1) * pageBytes);
  return read;
}

function pageBytesOf(database: Buffer): number | null {
  if (database.toString("latin1", 0, FILE_FORMAT.length) !== FILE_FORMAT) return null;
  if (database[READ_VERSION_AT] !== WAL_VERSION) return null;
  const said = database.readUInt16BE(PAGE_BYTES_AT);
  return said === 1 ? PAGE_BYTES_MAX : said;
}

function isWholeHeader(log: Buffer): boolean {
  if (log.length < HEADER_BYTES || log.readUInt32BE(0) !== MAGIC) return false;
  const sum = added([0, 0], log.subarray(0, 24));
  return isSumAt(log, 24, sum);
}

/** Reads like SQLite during recovery, up to the first frame that does not belong to those before it. */
function committedIn(log: Buffer, pageBytes: number): Committed {
  const committed: Committed = { pages: new Map(), count: 0 };
  let pending: [number, Buffer][] = [];
  let sum: Sum = [log.readUInt32BE(24), log.readUInt32BE(28)];
  const salts = log.subarray(16, 24);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  for (let at = HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    const page = log.subarray(at + FRAME_HEADER_BYTES, at + frameBytes);
    const number = log.readUInt32BE(at);
    if (number === 0 || !log.subarray(at + 8, at + 16).equals(salts)) break;
    sum = added(added(sum, log.subarray(at, at + 8)), page);
    if (!isSumAt(log, at + 16, sum)) break;
    pending.push([number, page]);
    const count = log.readUInt32BE(at + 4);
    if (count === 0) continue;
    for (const [place, bytes] of pending) committed.pages.set(place, bytes);
    committed.count = count;
    pending = [];
  }
  return committed;
}

type Sum = readonly [number, number];

function added([first, second]: Sum, bytes: Buffer): Sum {
  let [one, other] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + bytes.readUInt32LE(at) + other) >>> 0;
    other = (other + bytes.readUInt32LE(at + 4) + one) >>> 0;
  }
  return [one, other];
}

function isSumAt(log: Buffer, at: number, [one, other]: Sum): boolean {
  return log.readUInt32BE(at) === one && log.readUInt32BE(at + 4) === other;
}
