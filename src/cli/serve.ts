import cluster, { type Worker } from "node:cluster";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../app/options.ts";
import { deliverSetupCode, type SetupCodeDelivery } from "../app/setup-code.ts";
import { openApp } from "../app.ts";
import { type Config, localOrigin } from "../config.ts";
import type { ContentRecord } from "../content/record.ts";
import { AppError, englishOnlyWording } from "../errors.ts";
import { createLog, type Log } from "../log.ts";
import { startTracing } from "../tracing/open-telemetry.ts";
import { surviveUncaughtExceptions } from "../uncaught-exceptions.ts";
import { VERSION } from "../version.ts";
import { startWorkerFleet } from "../workers/fleet.ts";
import { RemoteRateLimits } from "../workers/remote-rate-limits.ts";
import { receiveChecks, startSharingChecks } from "../workers/shared-checks.ts";
import { startReportingCounts, WorkerCounts } from "../workers/worker-counts.ts";
import { makeBackupInChildProcess } from "./backup-process.ts";
import { commandName } from "./command-name.ts";
import { limitHeapGrowth } from "./heap.ts";
import { createProgressMeter } from "./progress-meter.ts";
import type { CommandContext } from "./terminal.ts";

const STOP_SECONDS_MAX = 10;
/**
 * Number of connections that the kernel queues until they are accepted; the system may allow fewer.
 * A client beyond the limit waits for seconds before it gets an error.
 */
const LISTEN_BACKLOG = 4096;
/** Time allowed from the end of a worker's last request to its exit. */
const WORKER_EXIT_SECONDS = 5;
const PARENT_WATCH_MILLISECONDS = 250;
const DATA_DIR_DEFAULT = "./data";
/** `commonplace serve`: runs until a stop signal, then finishes requests in progress. */
export async function runServeCommand({
  config: given,
  terminal,
  npmScript,
}: CommandContext): Promise<number> {
  limitHeapGrowth();
  const log = createLog(given.logLevel);
  if (cluster.worker !== undefined) return await serveAsWorker(given, cluster.worker, log);
  const parent = process.ppid;
  const config = await withFreePort(given);
  await using _tracing = await startTracing(config, log);
  const meter = await createProgressMeter("Rebuilding the pages", terminal);
  const app = await openApp(config, {
    log,
    makeBackup: makeBackupInChildProcess,
    onProgress: (done, total) => meter.show(done, total, progressText(done, total)),
    ...(config.demo ? { seed: seedIfEmpty } : {}),
  }).finally(() => meter.stop());
  try {
    const stop = await startServing(app, config, log);
    surviveUncaughtExceptions(log);
    const isRunByNpm = npmScript !== undefined;
    // Listens for signals before the greeting is printed, because a caller may send a signal as soon as the
    // greeting appears.
    const stopped = isRunByNpm ? Promise.race([stopSignal(), parentEnded(parent)]) : stopSignal();
    const { isInteractive } = terminal;
    const stopping = new AbortController();
    void stopped.then(() => stopping.abort());
    const options = { isInteractive, now: new Date(), stopSignal: stopping.signal };
    const setup = await deliverSetupCode(app.record, config, options);
    const names = { site: app.reading.site().name, command: commandName(npmScript) };
    for (const line of greeting(config, names)) terminal.out(line);
    for (const line of setupLines(config, setup)) terminal.out(line);
    app.deskIndex.start();
    const signal = await stopped;
    log.info({ signal }, "Stopping");
    await stop(signal);
  } finally {
    await app.close();
  }
  return 0;
}

/** Starts listening. @returns a function that stops the server in an orderly way. */
async function startServing(
  app: App,
  config: Config,
  log: Log,
): Promise<(signal: string) => Promise<void>> {
  const workerCounts = new WorkerCounts();
  const stopMetrics = await serveMetrics(app.metrics.server(workerCounts.samples), config);
  try {
    const stop = await startServingPublic(app, config, { log, workerCounts });
    return async (signal) => {
      await stop(signal);
      await stopMetrics();
    };
  } catch (error) {
    await stopMetrics();
    throw error;
  }
}

/** Listens on the public port, in this process or in workers. */
async function startServingPublic(
  app: App,
  config: Config,
  { log, workerCounts }: { log: Log; workerCounts: WorkerCounts },
): Promise<(signal: string) => Promise<void>> {
  if (config.workers === 1) {
    await listen(app.server, config);
    return async (signal) => {
      await drain(app, config, signal);
      await stopListening(app.server);
    };
  }
  workerCounts.listen();
  const fleet = await startWorkerFleet({
    size: config.workers,
    environment: { PORT: String(config.port), PUBLIC_URL: config.origin },
    rateLimits: app.rateLimits,
    stopSecondsMax: config.drainSeconds + STOP_SECONDS_MAX + WORKER_EXIT_SECONDS,
    log,
  });
  const sharing = startSharingChecks(() => app.checks);
  return async () => {
    await fleet.stop();
    sharing[Symbol.dispose]();
  };
}

/** Metrics have a separate port, which operators do not expose to the public. */
async function serveMetrics(
  server: Server,
  { host, metricsPort: port }: Config,
): Promise<() => Promise<void>> {
  if (port === null) return async () => {};
  await listen(server, { host, port }, "METRICS_PORT");
  return async () => await stopListening(server);
}

/**
 * Serves as one of several processes. The first process has seeded the store and runs the scheduled
 * tasks. `channel`: the connection to the first process.
 */
async function serveAsWorker(config: Config, channel: Worker, log: Log): Promise<number> {
  try {
    await using _tracing = await startTracing(config, log);
    await using app = await openApp(config, { log, firstProcess: firstProcessOf(channel) });
    const stopped = stopSignal();
    await listen(app.server, config);
    surviveUncaughtExceptions(log);
    using _reporting = startReportingCounts(channel, app.metrics.processSamples);
    await drain(app, config, await stopped);
    await stopListening(app.server);
  } finally {
    channel.disconnect();
  }
  return 0;
}

function firstProcessOf(channel: Worker) {
  return Object.assign(receiveChecks(channel), { rateLimits: new RemoteRateLimits(channel) });
}

/** Imports the modules on demand, because startup does not otherwise need them. */
async function seedIfEmpty(record: ContentRecord): Promise<void> {
  const { seedDemo } = await import("./demo.ts");
  await seedDemo(record);
}

/** Checks that the port is free, before the store is opened or seeded. Replaces port 0 with a free port. */
async function withFreePort(config: Config): Promise<Config> {
  const probe = createServer();
  const { port } = await listen(probe, config);
  await new Promise((resolve) => probe.close(resolve));
  if (config.port !== 0) return config;
  return { ...config, port, origin: config.origin.replace(/:0$/, `:${port}`) };
}

async function listen(
  server: Server,
  { host, port }: Pick<Config, "host" | "port">,
  setting = "PORT",
): Promise<AddressInfo> {
  return await new Promise((resolve, reject) => {
    server.once("error", (error) => reject(cannotListen(error, { host, port, setting })));
    server.listen({ port, host, backlog: LISTEN_BACKLOG }, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("No TCP address"));
      else resolve(address);
    });
  });
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program uses that port; stop it or set PORT",
  EACCES: "the system does not allow it; set PORT to a number above 1023",
  EADDRNOTAVAIL: "this machine does not have that address; set HOST",
  ENOTFOUND: "there is no such host; set HOST",
};

function cannotListen(
  error: Error,
  { host, port, setting }: { host: string; port: number; setting: string },
): Error {
  const fault = "code" in error ? LISTEN_FAULTS[String(error.code)] : undefined;
  if (fault === undefined) return error;
  const advice = fault.replace("PORT", setting);
  const message = `Cannot listen on ${host}, port ${port}: ${advice}`;
  return new AppError("unavailable", englishOnlyWording(message), { cause: error });
}

function greeting(config: Config, { site, command }: { site: string; command: string }): string[] {
  const { origin, dataDir, databaseUrl } = config;
  const local = localOrigin(config);
  const folder = dataDir === DATA_DIR_DEFAULT ? "" : `DATA_DIR=${shellWord(dataDir)} `;
  // Leaves out the database URL, which may hold a password.
  const store = databaseUrl === null ? folder : "";
  return [
    `Commonplace ${VERSION} serves ${site}`,
    "",
    `  Home         ${origin}/`,
    `  As Markdown  ${origin}/index.md`,
    `  For agents   ${origin}/llms.txt`,
    `  MCP          ${origin}/mcp (needs a key)`,
    ...(local === origin ? [] : [`  Locally      ${local}/`]),
    "",
    databaseUrl === null
      ? "Issue a key, while this runs, with"
      : "Issue a key, wherever DATABASE_URL is set as here, with",
    "",
    `  ${store}${command} keys issue --name "My agent" --scope mcp:read`,
    "",
  ];
}

function setupLines({ origin }: Config, setup: SetupCodeDelivery): string[] {
  if (setup.kind === "none") return [];
  const code = setup.kind === "shown" ? setup.code : `the code in ${setup.file}`;
  return [`Create your account at ${origin}/admin/setup, with ${code}`, ""];
}

function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/**
 * Resolves with the first stop signal and ignores later ones, because one signal can arrive twice: a signal
 * to the process group reaches every process, and the launcher and the first process forward it too.
 */
async function stopSignal(): Promise<string> {
  return await new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, resolve);
  });
}

/**
 * Resolves when npm, the parent process, has ended. A signal to npm ends npm's shell but does not
 * reach this process, which would go on running unnoticed.
 */
async function parentEnded(parent: number): Promise<string> {
  return await new Promise((resolve) => {
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve("npm ended");
    }, PARENT_WATCH_MILLISECONDS);
    timer.unref();
  });
}

/**
 * Makes `/readyz` report that the server is stopping. On SIGTERM, goes on serving for a while, so that load
 * balancers can send new requests elsewhere. After Ctrl-C, stops at once, because a person is waiting.
 */
async function drain(app: App, { drainSeconds }: Config, signal: string): Promise<void> {
  app.drain();
  if (signal === "SIGTERM") await sleep(drainSeconds * 1000);
}

/** Stops accepting connections, waits for requests in progress, and aborts requests that take too long. */
async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const idleTimer = setInterval(() => server.closeIdleConnections(), 100);
  const abortTimer = setTimeout(() => server.closeAllConnections(), STOP_SECONDS_MAX * 1000);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(abortTimer);
}

/** The search index follows the items, and takes as long again when there are many. */
function progressText(done: number, total: number): string {
  return done < total ? `${done} of ${total} items` : `the search index of ${total} items`;
}
