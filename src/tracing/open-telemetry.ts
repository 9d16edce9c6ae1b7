import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { setTracer } from "../tracing.ts";
import { VERSION } from "../version.ts";
import { withTimeout } from "../work/with-timeout.ts";
import { CollectorConnections, withErrorLogging } from "./exporting.ts";
import { loadTracingLibraries, type TracingLibraries } from "./libraries.ts";
import { OpenTelemetryTracer } from "./open-telemetry-tracer.ts";

const SERVICE_NAME = "commonplace";
/** Limit on the spans that wait for the collector. Further spans are dropped. */
const QUEUED_MAX = 2048;
const BATCH_MAX = 512;
/**
 * Limit on concurrent exports. A shutdown exports all queued batches at once. The 1 is for an earlier
 * export that still runs.
 */
const EXPORTS_MAX = 1 + QUEUED_MAX / BATCH_MAX;
/** Time limit for the export of a batch, including retries. */
const EXPORT_MILLISECONDS_MAX = 3000;
/** How long a stop waits for the collector. Service managers kill processes that stop too slowly. */
const STOP_MILLISECONDS_MAX = 2000;

/**
 * Sends traces to the configured collector until disposed of. Without a collector it does nothing and loads
 * no library.
 *
 * @throws {AppError} `unavailable` when the libraries are not installed.
 */
export async function startTracing(
  { traces, origin }: Pick<Config, "traces" | "origin">,
  log: Log,
): Promise<AsyncDisposable> {
  if (traces === null) return { [Symbol.asyncDispose]: async () => {} };
  const libraries = await loadTracingLibraries();
  const { sdk, resources, exporting } = libraries;
  const connections = new CollectorConnections();
  const exporter = new exporting.OTLPTraceExporter({
    httpAgentOptions: connections.agent,
    timeoutMillis: EXPORT_MILLISECONDS_MAX,
    concurrencyLimit: EXPORTS_MAX,
  });
  const configured = resources.detectResources({
    detectors: [resources.resourceAttributesEnvDetector, resources.serviceNameEnvDetector],
  });
  const provider = new sdk.TracerProvider({
    resource: resources
      .resourceFromAttributes({ "service.name": SERVICE_NAME, "service.version": VERSION })
      .merge(configured),
    sampler: samplerOf(traces, libraries),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: withErrorLogging(exporter, { connections, log }),
        maxQueueSize: QUEUED_MAX,
        maxExportBatchSize: BATCH_MAX,
      }),
    ],
  });
  const spans = provider.getTracer(SERVICE_NAME, VERSION);
  setTracer(new OpenTelemetryTracer(spans, { libraries, scheme: new URL(origin).protocol }));
  return {
    async [Symbol.asyncDispose]() {
      setTracer(null);
      // `shutdown` rejects as soon as one export fails; that failure has been logged. `forceFlush`
      // waits for the other exports.
      const sent = provider.shutdown().catch(() => exporter.forceFlush());
      const timeoutError = () => new Error("The collector does not answer");
      const limit = { milliseconds: STOP_MILLISECONDS_MAX, timeoutError };
      await withTimeout(sent, limit).catch(() => {});
      connections.closeAll();
    },
  };
}

function samplerOf(
  { sampler, ratio }: NonNullable<Config["traces"]>,
  { sdk }: TracingLibraries,
): InstanceType<TracingLibraries["sdk"]["ParentBasedSampler"]> {
  const name = sampler.replace(/^parentbased_/, "");
  const root =
    name === "traceidratio"
      ? new sdk.TraceIdRatioBasedSampler(ratio)
      : name === "always_off"
        ? new sdk.AlwaysOffSampler()
        : new sdk.AlwaysOnSampler();
  // A `parentbased_` prefix makes no difference: all root spans start in this process, and children
  // follow their parent.
  return new sdk.ParentBasedSampler({ root });
}
