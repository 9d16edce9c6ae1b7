import cluster, { type Worker } from "node:cluster";

const SHARE_MILLISECONDS = 1000;
const PARTS = ["reading copy", "record"] as const;

/** What the checks of the first process have found. */
interface FirstProcessChecks {
  isDamaged(part: (typeof PARTS)[number]): boolean;
  /** Whether the system's time can be trusted. */
  isTrusted: boolean;
}

interface ChecksMessage {
  checks: { damaged: readonly string[]; isTrusted: boolean };
}

/**
 * Sends what the checks of the first process have found to all workers, every second. Workers run no such
 * checks, but answer probes and show the health of the site.
 */
export function startSharingChecks(read: () => FirstProcessChecks): Disposable {
  const timer = setInterval(() => {
    const { isTrusted, isDamaged } = read();
    const checks = { damaged: PARTS.filter((part) => isDamaged(part)), isTrusted };
    for (const worker of Object.values(cluster.workers ?? {})) {
      if (worker?.isConnected() === true) worker.send({ checks } satisfies ChecksMessage, () => {});
    }
  }, SHARE_MILLISECONDS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Receives in a worker what the first process sends. `channel`: the connection to that process. */
export function receiveChecks(channel: Worker): FirstProcessChecks {
  let { checks }: ChecksMessage = { checks: { damaged: [], isTrusted: true } };
  channel.on("message", (message: Partial<ChecksMessage>) => {
    if (message.checks !== undefined) checks = message.checks;
  });
  return {
    isDamaged: (part) => checks.damaged.includes(part),
    get isTrusted() {
      return checks.isTrusted;
    },
  };
}
