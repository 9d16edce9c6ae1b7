import { type FSWatcher, watch } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditLog } from "../access/audit.ts";
import type { SyncReport } from "../syncing/sync-report.ts";
import { formatCommandErrorLine } from "./faults.ts";
import { formatSyncStepLines, formatUnresolvedProblemLines } from "./sync-lines.ts";
import type { Terminal } from "./terminal.ts";

/** Waits this long after a change, because text editors write a file in several steps. */
const QUIET_MILLISECONDS = 500;
const SITE_POLL_MILLISECONDS = 1000;
/** Interval of syncs after a failure, and where the system cannot watch the folder. */
const RETRY_MILLISECONDS = 10_000;

interface SyncSides {
  audit: Pick<AuditLog, "entries">;
  run: () => Promise<SyncReport>;
  terminal: Pick<Terminal, "out" | "err">;
}

/**
 * Syncs once at the start, and again after each change of a file or of the site, until a stop
 * signal.
 */
export async function syncOnEachChange(root: string, sides: SyncSides): Promise<void> {
  const stop = new AbortController();
  const end = () => stop.abort();
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, end);
  const changes = watchFolder(root, sides.terminal);
  try {
    await syncUntil(stop.signal, changes, sides);
  } finally {
    changes.close();
    for (const signal of signals) process.removeListener(signal, end);
  }
}

async function syncUntil(
  signal: AbortSignal,
  changes: FolderChanges,
  { audit, run, terminal }: SyncSides,
): Promise<void> {
  let shownLines: ReadonlySet<string> = new Set();
  let lastEntry = -1;
  let isRetrying = false;
  let lastAt = 0;
  terminal.out("Watching the folder and the site; end with Ctrl+C");
  while (!signal.aborted) {
    const latest = await latestEntry(audit).catch(() => lastEntry);
    const isRetryDue = performance.now() - lastAt > RETRY_MILLISECONDS;
    const isDue = changes.hasChanges() || latest !== lastEntry || (isRetrying && isRetryDue);
    if (isDue && changes.isQuiet()) {
      changes.reset();
      const { lines, isDone } = await syncLines(run, terminal);
      for (const line of lines.filter((text) => !shownLines.has(text))) terminal.err(line);
      shownLines = new Set(lines);
      // `latest` was read before the sync, so changes made during the sync cause another sync.
      lastEntry = latest;
      isRetrying = !isDone || !changes.canWatch();
      lastAt = performance.now();
    }
    const pause = isDue ? QUIET_MILLISECONDS : SITE_POLL_MILLISECONDS;
    await sleep(pause, undefined, { signal }).catch(() => {});
  }
}

async function latestEntry(audit: SyncSides["audit"]): Promise<number> {
  const [latest] = await audit.entries({ limit: 1 });
  return latest?.number ?? 0;
}

/**
 * Syncs and prints what was done.
 *
 * @returns lines about conflicts and faults; the caller shows each line once.
 */
async function syncLines(
  run: SyncSides["run"],
  terminal: SyncSides["terminal"],
): Promise<{ lines: string[]; isDone: boolean }> {
  try {
    const report = await run();
    for (const line of formatSyncStepLines(report)) terminal.out(line);
    return { lines: formatUnresolvedProblemLines(report), isDone: true };
  } catch (error) {
    return { lines: [formatCommandErrorLine(error)], isDone: false };
  }
}

interface FolderChanges {
  /** Whether there were changes since the last reset. */
  hasChanges(): boolean;
  /** Whether nothing has changed for a moment, so that text editors have finished writing. */
  isQuiet(): boolean;
  /** Whether the system reports changes of this folder. */
  canWatch(): boolean;
  reset(): void;
  close(): void;
}

function watchFolder(root: string, { err }: Pick<Terminal, "err">): FolderChanges {
  let isNew = false;
  let lastAt = Number.NEGATIVE_INFINITY;
  let watcher: FSWatcher | null = null;
  const fallBackToPolling = (error: unknown) => {
    watcher?.close();
    watcher = null;
    err(`Cannot watch ${root}, so it is read every 10 seconds: ${formatCommandErrorLine(error)}`);
  };
  try {
    watcher = watch(root, { recursive: true }, (_event, file) => {
      // Ignores hidden files, such as the folders `.commonplace` of this program and `.git`.
      if (file?.startsWith(".") === true) return;
      isNew = true;
      lastAt = performance.now();
    });
    watcher.on("error", fallBackToPolling);
  } catch (error) {
    fallBackToPolling(error);
  }
  return {
    hasChanges: () => isNew,
    isQuiet: () => performance.now() - lastAt > QUIET_MILLISECONDS,
    canWatch: () => watcher !== null,
    reset() {
      isNew = false;
    },
    close: () => watcher?.close(),
  };
}
