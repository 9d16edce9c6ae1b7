import { Duplex } from "node:stream";
import type { Machine, SimulatedProcess, World } from "./world.ts";

const RETRANSMISSION_MILLISECONDS_MAX = 300;

/** The route between a machine and the database. */
export interface Route {
  /** Milliseconds in one direction. */
  delay: { min: number; max: number };
  /** Whether nothing arrives, without an error. Packets are then resent until the route is free. */
  isCut: boolean;
}

/** The server's side of a connection. */
export interface Accepted {
  received(bytes: Buffer): void;
  /** Called when the client is gone. */
  lost(): void;
}

/** Accepts a connection; null refuses it. */
type Accept = (toClient: { send(bytes: Buffer): void; end(): void }) => Accepted | null;

/** Connections from machines to one server. The bytes of a connection arrive in order or not at all. */
export class Network {
  readonly #world: World;
  readonly #server: SimulatedProcess;
  readonly #accept: Accept;
  readonly #routes = new Map<Machine, Route>();
  readonly #connections = new Set<Connection>();

  constructor(server: SimulatedProcess, accept: Accept) {
    this.#world = server.world;
    this.#server = server;
    this.#accept = accept;
    networks.set(server.world, this);
  }

  static of(world: World): Network {
    const network = networks.get(world);
    if (network === undefined) throw new Error("This world has no network");
    return network;
  }

  routeOf(machine: Machine): Route {
    const known = this.#routes.get(machine);
    if (known !== undefined) return known;
    const route = { delay: { min: 0.1, max: 0.6 }, isCut: false };
    this.#routes.set(machine, route);
    return route;
  }

  connect(socket: SimulatedSocket, client: SimulatedProcess): Connection {
    const connection = new Connection({
      world: this.#world,
      server: this.#server,
      client,
      socket,
      route: this.routeOf(client.machine),
      accept: this.#accept,
      closed: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    return connection;
  }

  /** Ends the connections of a machine with an error on both sides. */
  reset(machine: Machine | null): void {
    for (const connection of [...this.#connections]) {
      if (machine === null || connection.client.machine === machine) connection.reset();
    }
  }

  /** A machine without power sends nothing to the server, which notices after a while. */
  vanish(machine: Machine, milliseconds: number): void {
    for (const connection of [...this.#connections]) {
      if (connection.client.machine !== machine) continue;
      this.#world.schedule(this.#server, milliseconds, () => connection.reset());
    }
  }

  /** A killed process closes its connections. */
  close(client: SimulatedProcess): void {
    for (const connection of [...this.#connections]) {
      if (connection.client === client) connection.clientEnded();
    }
  }
}

const networks = new WeakMap<World, Network>();

interface ConnectionParts {
  world: World;
  server: SimulatedProcess;
  client: SimulatedProcess;
  socket: SimulatedSocket;
  route: Route;
  accept: Accept;
  closed: () => void;
}

class Connection {
  readonly client: SimulatedProcess;
  readonly #parts: ConnectionParts;
  #accepted: Accepted | null = null;
  #toServer: Lane;
  #toClient: Lane;
  #isOpen = true;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.client = parts.client;
    const { world, server, client, route } = parts;
    this.#toServer = new Lane(world, server, route);
    this.#toClient = new Lane(world, client, route);
    this.#toServer.send(() => this.#arrive());
  }

  write(bytes: Buffer): void {
    this.#toServer.send(() => this.#accepted?.received(bytes));
  }

  clientEnded(): void {
    if (!this.#isOpen) return;
    this.#toServer.send(() => this.#lost());
  }

  /** Both sides notice at once. */
  reset(): void {
    if (!this.#isOpen) return;
    this.#lost();
    this.#parts.world.inside(this.client, () => this.#parts.socket.failed("ECONNRESET"));
  }

  #arrive(): void {
    const { socket, accept } = this.#parts;
    this.#accepted = accept({
      send: (bytes) => this.#toClient.send(() => socket.arrived(bytes)),
      end: () => this.#toClient.send(() => socket.ended()),
    });
    if (this.#accepted === null) {
      this.#lost();
      this.#toClient.send(() => socket.failed("ECONNREFUSED"));
    } else this.#toClient.send(() => socket.connected());
  }

  #lost(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#parts.closed();
    this.#accepted?.lost();
  }
}

/** One direction of a connection. */
class Lane {
  readonly #world: World;
  readonly #to: SimulatedProcess;
  readonly #route: Route;
  readonly #held: (() => void)[] = [];
  #lastAt = 0;

  constructor(world: World, to: SimulatedProcess, route: Route) {
    this.#world = world;
    this.#to = to;
    this.#route = route;
  }

  send(arrive: () => void): void {
    const { min, max } = this.#route.delay;
    const at = this.#world.now + min + this.#world.random() * (max - min);
    this.#lastAt = Math.max(this.#lastAt, at);
    this.#world.schedule(this.#to, this.#lastAt - this.#world.now, () => {
      this.#held.push(arrive);
      this.#deliver();
    });
  }

  #deliver(): void {
    if (!this.#route.isCut) {
      for (const arrive of this.#held.splice(0)) arrive();
      return;
    }
    const again = this.#world.random() * RETRANSMISSION_MILLISECONDS_MAX;
    this.#world.schedule(this.#to, again, () => this.#deliver());
  }
}

/** The client's side, with the interface of `node:net`. */
export class SimulatedSocket extends Duplex {
  readonly #process: SimulatedProcess;
  #connection: Connection | null = null;
  #silence: NodeJS.Timeout | undefined;
  #onSilence: { milliseconds: number; ended: () => void } | null = null;

  constructor(process: SimulatedProcess) {
    super();
    this.#process = process;
  }

  connect(): this {
    this.#connection = Network.of(this.#process.world).connect(this, this.#process);
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  setTimeout(milliseconds: number, ended: () => void): this {
    this.#onSilence = { milliseconds, ended };
    this.#spoke();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  connected(): void {
    this.#spoke();
    this.emit("connect");
  }

  arrived(bytes: Buffer): void {
    this.#spoke();
    if (!this.destroyed) this.push(bytes);
  }

  ended(): void {
    if (!this.destroyed) this.destroy();
  }

  failed(code: string): void {
    if (this.destroyed) return;
    this.destroy(Object.assign(new Error(`read ${code}`), { code }));
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#spoke();
    this.#connection?.write(Buffer.from(bytes));
    done();
  }

  override _writev(parts: { chunk: Buffer }[], done: () => void): void {
    this._write(Buffer.concat(parts.map(({ chunk }) => chunk)), "buffer", done);
  }

  override _final(done: () => void): void {
    this.#connection?.clientEnded();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#silence);
    this.#connection?.clientEnded();
    done(error);
  }

  #spoke(): void {
    if (this.#onSilence === null) return;
    const { milliseconds, ended } = this.#onSilence;
    clearTimeout(this.#silence);
    this.#silence = setTimeout(ended, milliseconds);
  }
}
