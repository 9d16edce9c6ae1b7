import { BlockList, isIP } from "node:net";
import type { Problem } from "../../errors.ts";

const blockLists = new WeakMap<readonly string[], BlockList>();

/** Whether an address (IPv4, IPv6 or IPv4-mapped) is in one of the CIDR blocks. */
export function anyNetworkContains(networks: readonly string[], address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return blockList(networks).check(address, family === 4 ? "ipv4" : "ipv6");
}

/** Whether every network in `networks` lies within one of `bounds`. An empty list means all networks. */
export function areNetworksWithin(networks: readonly string[], bounds: readonly string[]): boolean {
  if (bounds.length === 0) return true;
  return (
    networks.length > 0 &&
    networks.every((network) => bounds.some((bound) => containsNetwork(bound, network)))
  );
}

function containsNetwork(bound: string, network: string): boolean {
  const outer = parse(bound);
  const inner = parse(network);
  if (outer === null || inner === null || outer.family !== inner.family) return false;
  return inner.bits >= outer.bits && anyNetworkContains([bound], inner.address);
}

/** Lists the entries that are neither addresses nor CIDR blocks. */
export function findInvalidNetworks(networks: readonly string[]): Problem[] {
  return networks.flatMap((network, position) =>
    parse(network) === null
      ? [
          {
            where: `networks[${position}]`,
            message: {
              en: `"${network}" is not a network; write 192.0.2.0/24 or 2001:db8::/32`,
              de: `„${network}“ ist kein Netz: Schreiben Sie 192.0.2.0/24 oder 2001:db8::/32`,
            },
          },
        ]
      : [],
  );
}

function blockList(networks: readonly string[]): BlockList {
  const cached = blockLists.get(networks);
  if (cached !== undefined) return cached;
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parse(network);
    if (parsed !== null) list.addSubnet(parsed.address, parsed.bits, parsed.family);
  }
  blockLists.set(networks, list);
  return list;
}

interface Network {
  address: string;
  bits: number;
  family: "ipv4" | "ipv6";
}

function parse(network: string): Network | null {
  const [address = "", bitsText, ...rest] = network.split("/");
  const version = isIP(address);
  const bitsMax = version === 4 ? 32 : 128;
  if (version === 0 || rest.length > 0) return null;
  if (bitsText !== undefined && !/^\d{1,3}$/.test(bitsText)) return null;
  const bits = bitsText === undefined ? bitsMax : Number(bitsText);
  return bits > bitsMax ? null : { address, bits, family: version === 4 ? "ipv4" : "ipv6" };
}
