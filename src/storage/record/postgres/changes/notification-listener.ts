import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Log } from "../../../../log.ts";
import { RepeatedErrorLogger } from "../../../../repeated-error-logger.ts";
import { isDatabaseUnreachable } from "../connections/database-errors.ts";
import { DatabaseSockets } from "../connections/sockets.ts";

const NOTIFY_CHANNELS = ["commonplace_changes", "commonplace_keys"] as const;
const CONNECT_MILLISECONDS_MAX = 3000;
const RECONNECT_DELAY_MILLISECONDS = 250;
/** Interval between probes. Without probes, a dead connection would look like an idle one. */
const PROBE_INTERVAL_MILLISECONDS = 5000;
const PROBE_ANSWER_MILLISECONDS_MAX = 3000;
const DISCONNECT_MILLISECONDS_MAX = 500;
const NO_NOTIFICATIONS = "The database sends no notifications: changes show after a second";

export type NotificationChannel = (typeof NOTIFY_CHANNELS)[number];

/** The process's only connection for LISTEN/NOTIFY. */
export interface NotificationListener extends AsyncDisposable {
  /**
   * Calls `onNotification` on each notification. Also calls it on each new connection, because
   * notifications may have been missed while there was no connection. `onNotification` must not throw.
   */
  subscribe(channel: NotificationChannel, onNotification: () => void): Disposable;
  close(): Promise<void>;
}

interface Subscriber {
  channel: NotificationChannel;
  onNotification: () => void;
}

/** Connects on the first subscription. Reconnects whenever the connection is lost. */
export function openNotificationListener(url: string, log: Log | null): NotificationListener {
  const repeated = new RepeatedErrorLogger(log);
  const subscribers = new Set<Subscriber>();
  const closing = new AbortController();
  let running: Promise<void> | null = null;
  const notify = (channel: string) => {
    for (const subscriber of subscribers)
      if (subscriber.channel === channel) subscriber.onNotification();
  };
  const close = async () => {
    closing.abort();
    await running;
  };
  return {
    subscribe(channel, onNotification) {
      const subscriber = { channel, onNotification };
      subscribers.add(subscriber);
      running ??= keepListening({ url, notify, repeated }, closing.signal);
      return { [Symbol.dispose]: () => void subscribers.delete(subscriber) };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface ListeningParts {
  url: string;
  notify: (channel: string) => void;
  repeated: RepeatedErrorLogger;
}

async function keepListening(parts: ListeningParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await listenUntilLost(parts, signal);
    } catch (error) {
      // Ignores outages, because the pool's connections log them already.
      if (!isDatabaseUnreachable(error)) parts.repeated.failed(NO_NOTIFICATIONS, error);
    }
    await pause(RECONNECT_DELAY_MILLISECONDS, signal);
  }
}

/** Returns when `signal` aborts or the connection is lost. Throws if connecting or a probe fails. */
async function listenUntilLost(
  { url, notify, repeated }: ListeningParts,
  signal: AbortSignal,
): Promise<void> {
  const sockets = new DatabaseSockets();
  const client = new Client({
    stream: sockets.open,
    connectionString: url,
    application_name: "commonplace listening",
    connectionTimeoutMillis: CONNECT_MILLISECONDS_MAX,
    query_timeout: PROBE_ANSWER_MILLISECONDS_MAX,
    keepAlive: true,
  });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.on("end", () => lost.abort());
  client.on("notification", ({ channel }) => notify(channel));
  try {
    await client.connect();
    for (const channel of NOTIFY_CHANNELS) await client.query(`LISTEN ${channel}`);
    repeated.succeeded(NO_NOTIFICATIONS);
    for (const channel of NOTIFY_CHANNELS) notify(channel);
    const until = AbortSignal.any([signal, lost.signal]);
    while (!until.aborted) {
      await pause(PROBE_INTERVAL_MILLISECONDS, until);
      if (!until.aborted) await client.query("SELECT 1");
    }
  } finally {
    // Limits the wait, because the connection may hang.
    await sockets.closeAfter(
      client.end().catch(() => {}),
      DISCONNECT_MILLISECONDS_MAX,
    );
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
}
