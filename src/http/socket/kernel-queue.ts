import { readFile } from "node:fs/promises";
import { isIPv6, type Socket } from "node:net";
import { endianness } from "node:os";
import { parseIpv6Groups } from "../../access/address-limits.ts";

/**
 * Linux's tables of TCP connections (proc(5)): `sl local_address rem_address st tx_queue:rx_queue
 * …`.
 */
const KERNEL_TABLES = ["/proc/net/tcp", "/proc/net/tcp6"] as const;
const TABLE_LINE = /^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/;

let lastReading: { at: number; queues: Promise<ReadonlyMap<string, number> | null> } | null = null;

/**
 * Bytes in the kernel's send buffer that the peer has not acknowledged; null: unknown, as on systems other
 * than Linux.
 *
 * Node does not see the progress of a slow reader: the kernel may accept megabytes at once, and reports
 * free space only when a third of the buffer is free. With thousands of connections, reading
 * `KERNEL_TABLES` takes milliseconds, so a result is reused for up to `ageMilliseconds`.
 */
export async function countUnacknowledgedBytes(
  socket: Socket,
  ageMilliseconds: number,
): Promise<number | null> {
  const now = performance.now();
  if (lastReading === null || now - lastReading.at > ageMilliseconds) {
    lastReading = { at: now, queues: readQueues() };
  }
  const queues = await lastReading.queues;
  return queues?.get(connectionName(socket)) ?? null;
}

async function readQueues(): Promise<ReadonlyMap<string, number> | null> {
  const queues = new Map<string, number>();
  for (const table of KERNEL_TABLES) {
    const text = await readFile(table, "latin1").catch(() => "");
    for (const line of text.split("\n")) {
      const [, localPort, remote, queued = "0"] = TABLE_LINE.exec(line) ?? [];
      if (remote !== undefined) queues.set(`${localPort} ${remote}`, Number.parseInt(queued, 16));
    }
  }
  return queues.size === 0 ? null : queues;
}

function connectionName({ localPort, remoteAddress, remotePort }: Socket): string {
  return `${portHex(localPort)} ${addressHex(remoteAddress ?? "")}:${portHex(remotePort)}`;
}

function portHex(port = 0): string {
  return hex(port, 4);
}

/** An IP address as in the tables: 32-bit words in the byte order of the machine. */
function addressHex(address: string): string {
  const bytes = isIPv6(address) ? bytesOfIPv6(address) : address.split(".").map(Number);
  const words: string[] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.slice(at, at + 4);
    if (endianness() === "LE") word.reverse();
    words.push(word.map((byte) => hex(byte, 2)).join(""));
  }
  return words.join("");
}

function bytesOfIPv6(address: string): number[] {
  const [bare = ""] = address.split("%");
  return parseIpv6Groups(bare).flatMap((group) => [group >> 8, group & 0xff]);
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, "0");
}
