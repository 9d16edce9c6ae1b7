/** A connection that can be closed to free its memory. */
interface ClosableConnection {
  /** Closes the connection with a reset, so that the kernel discards its buffers as well. */
  resetAndDestroy(): unknown;
}

interface Network<Client> {
  bytes: number;
  /** Bytes of each connection, oldest connection first. */
  clients: Map<Client, number>;
}

/**
 * Share of the budget that an eviction frees. An eviction sorts all connections of a network, so it must
 * free more than one connection.
 */
const EVICTED_SHARE = 0.05;

/**
 * One budget for all memory that clients can make the process use: connections, pipelined requests,
 * incoming bodies and unread answers. A single network may use the whole budget. When the budget is
 * exhausted, the network that uses the most loses its largest connections. If several are equally large,
 * the oldest go first.
 */
export class ClientMemoryBudget<Client extends ClosableConnection> {
  readonly #bytesMax: number;
  readonly #onEvict: () => void;
  readonly #networks = new Map<string, Network<Client>>();
  readonly #networkOf = new Map<Client, string>();
  #bytes = 0;

  /** `onEvict` is called for each connection that is closed to free memory. */
  constructor(bytesMax: number, onEvict: () => void = () => {}) {
    this.#bytesMax = bytesMax;
    this.#onEvict = onEvict;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Counts the initial bytes of a new connection. */
  open(client: Client, network: string, bytes: number): void {
    this.#networkOf.set(client, network);
    this.charge(client, bytes);
  }

  /**
   * Adds to the bytes counted for an open connection; a negative number subtracts. Ignores closed
   * connections.
   */
  charge(client: Client, bytes: number): void {
    const name = this.#networkOf.get(client);
    if (name === undefined) return;
    const network = this.#networks.get(name) ?? { bytes: 0, clients: new Map() };
    network.bytes += bytes;
    network.clients.set(client, (network.clients.get(client) ?? 0) + bytes);
    this.#networks.set(name, network);
    this.#bytes += bytes;
    if (bytes > 0 && this.#bytes > this.#bytesMax) this.#evict();
  }

  /** Subtracts all bytes counted for a connection. Must be called when the connection closes. */
  release(client: Client): void {
    const name = this.#networkOf.get(client);
    const network = name === undefined ? undefined : this.#networks.get(name);
    if (name === undefined || network === undefined) return;
    const bytes = network.clients.get(client) ?? 0;
    this.#networkOf.delete(client);
    network.clients.delete(client);
    network.bytes -= bytes;
    this.#bytes -= bytes;
    if (network.clients.size === 0) this.#networks.delete(name);
  }

  #evict(): void {
    const target = this.#bytesMax * (1 - EVICTED_SHARE);
    while (this.#bytes > target) {
      let largest: Network<Client> | undefined;
      for (const network of this.#networks.values()) {
        if (largest === undefined || network.bytes > largest.bytes) largest = network;
      }
      if (largest === undefined) return;
      this.#evictFrom(largest, target);
    }
  }

  /**
   * Closes the largest connections of a network. Stops once all clients together use at most
   * `target` bytes, or the network uses half as much as before.
   */
  #evictFrom(network: Network<Client>, target: number): void {
    const untilBytes = network.bytes / 2;
    const bySize = [...network.clients].toSorted(([, one], [, other]) => other - one);
    for (const [client] of bySize) {
      this.release(client);
      this.#onEvict();
      client.resetAndDestroy();
      if (this.#bytes <= target || network.bytes <= untilBytes) return;
    }
  }
}
