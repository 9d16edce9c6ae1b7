import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Log } from "../../../log.ts";
import { RepeatedFaults } from "../../../repeated-faults.ts";
import { isAway } from "./faults.ts";
import { Sockets } from "./sockets.ts";

const CHANNELS = ["commonplace_changes", "commonplace_keys"] as const;
const CONNECT_MILLISECONDS_MAX = 3000;
const PAUSE_MILLISECONDS = 250;
/** A connection whose other end vanished is silent, as one without news is. */
const PROBE_MILLISECONDS = 5000;
const PROBE_MILLISECONDS_MAX = 3000;
const GOODBYE_MILLISECONDS_MAX = 500;
const FAULT = "The database sends no notifications: changes show after a second";

export type Channel = (typeof CHANNELS)[number];

/** The one connection of a process on which the database tells what changed. */
export interface Listening extends AsyncDisposable {
  /**
   * Calls at each notification, and at each new connection, since some may have been missed before.
   * What is called must not throw.
   */
  hear(channel: Channel, onNews: () => void): Disposable;
  close(): Promise<void>;
}

interface Hearer {
  channel: Channel;
  onNews: () => void;
}

/** Connects when somebody first wants to hear, and again whenever the connection is lost. */
export function openListening(url: string, log: Log | null): Listening {
  const repeated = new RepeatedFaults(log);
  const hearers = new Set<Hearer>();
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  const tell = (channel: string) => {
    for (const hearer of hearers) if (hearer.channel === channel) hearer.onNews();
  };
  const close = async () => {
    closing.abort();
    await running;
  };
  return {
    hear(channel, onNews) {
      const hearer = { channel, onNews };
      hearers.add(hearer);
      running ??= keepListening({ url, tell, repeated }, closing.signal);
      return { [Symbol.dispose]: () => void hearers.delete(hearer) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface ListeningParts {
  url: string;
  tell: (channel: string) => void;
  repeated: RepeatedFaults;
}

async function keepListening(parts: ListeningParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenUntilLost(parts, signal);
    } catch (error) {
      // A database that is away is logged by the connections that need it.
      if (!isAway(error)) parts.repeated.failed(FAULT, error);
    }
    await pause(PAUSE_MILLISECONDS, signal);
  }
}

/** Returns when `signal` is aborted or the connection is lost; throws when it cannot be had. */
async function listenUntilLost(
  { url, tell, repeated }: ListeningParts,
  signal: AbortSignal,
): Promise<void> {
  const sockets = new Sockets();
  const client = new Client({
    stream: sockets.open,
    connectionString: url,
    application_name: "commonplace listening",
    connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
    query_timeout: PROBE_MILLISECONDS_MAX,
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.on("end", () => lost.abort());
  client.on("notification", ({ channel }) => tell(channel));
  try {
    await client.connect();
    for (const channel of CHANNELS) await client.query(`LISTEN ${channel}`);
    repeated.succeeded(FAULT);
    for (const channel of CHANNELS) tell(channel);
    const until = AbortSignal.any([signal, lost.signal]);
    while (!until.aborted) {
      await pause(PROBE_MILLISECONDS, until);
      if (!until.aborted) await client.query("SELECT 1");
    }
  } finally {
    // One that hangs is not waited for.
    await sockets.closedAfter(
      client.end().catch(() => {}),
      GOODBYE_MILLISECONDS_MAX,
    );
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}
