import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Span, Tracer as SpanFactory } from "@opentelemetry/api";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";
import type { Log } from "../log.ts";
import { type SpanAttributes, type Step, setTracer, type Tracer } from "../tracing.ts";
import { VERSION } from "../version.ts";
import { withTimeout } from "../work/with-timeout.ts";
import { CollectorConnections, withFaultLogging } from "./exporting.ts";
import { type Libraries, loadLibraries } from "./libraries.ts";
import { linksToTrace } from "./linked-trace.ts";

const SERVICE_NAME = "commonplace";
/** The most spans that wait for the collector; any more are dropped. */
const QUEUED_MAX = 2048;
const BATCH_MAX = 512;
/**
 * Limit on concurrent exports. On shutdown, all queued batches are exported at once, while an earlier export
 * may still run.
 */
const EXPORTS_MAX = 1 + QUEUED_MAX / BATCH_MAX;
/** Time limit for the export of a batch, including retries. */
const EXPORT_MILLISECONDS_MAX = 3000;
/** How long a stop waits for the collector. Service managers kill processes that stop too slowly. */
const STOP_MILLISECONDS_MAX = 2000;
const SERVER_ERROR = 500;
/**
 * HTTP methods that are recorded by name. Others are recorded as `_OTHER`, because clients can send any word.
 */
const KNOWN_METHODS: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE QUERY".split(" "),
);
/** Matches error codes that are safe to record, as opposed to free text. */
const ERROR_CODE = /^\w{1,50}$/;

/** A span that can have children. */
interface Scope {
  span: Span;
  /** The request that the span belongs to: its span and method; null: background work. */
  request: { span: Span; method: string } | null;
  isEnded: boolean;
}

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
  const libraries = await loadLibraries();
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
        exporter: withFaultLogging(exporter, { connections, log }),
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
      // A shutdown rejects at the first failed export, which was logged; `forceFlush` waits for the others.
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
  { sdk }: Libraries,
): InstanceType<Libraries["sdk"]["ParentBasedSampler"]> {
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

class OpenTelemetryTracer implements Tracer {
  readonly #spans: SpanFactory;
  readonly #libraries: Libraries;
  readonly #scheme: string;
  readonly #current = new AsyncLocalStorage<Scope>();

  constructor(spans: SpanFactory, { libraries, scheme }: { libraries: Libraries; scheme: string }) {
    this.#spans = spans;
    this.#libraries = libraries;
    this.#scheme = scheme.replace(":", "");
  }

  request(request: IncomingMessage, response: ServerResponse, run: () => void): void {
    const { api } = this.#libraries;
    const { method = "" } = request;
    const knownMethod = KNOWN_METHODS.has(method) ? method : "_OTHER";
    const links = linksToTrace(request.headers["traceparent"]);
    const attributes = {
      "http.request.method": knownMethod,
      "url.scheme": this.#scheme,
      "network.protocol.version": request.httpVersion,
    };
    // Always starts a new trace: a header from a stranger must not decide what is sampled.
    const span = this.#spans.startSpan(
      knownMethod === "_OTHER" ? "HTTP" : knownMethod,
      { kind: api.SpanKind.SERVER, attributes, links },
      api.ROOT_CONTEXT,
    );
    const scope: Scope = { span, request: { span, method: knownMethod }, isEnded: false };
    response.once("close", () => {
      if (response.headersSent) this.#noteStatus(span, response.statusCode);
      else span.setAttribute("error.type", "client_gone");
      end(scope);
    });
    this.#current.run(scope, run);
  }

  async step<T>(
    { name, kind, attributes = {} }: Step,
    run: () => Promise<T>,
    describe?: (result: T) => SpanAttributes,
  ): Promise<T> {
    const { api } = this.#libraries;
    const current = this.#current.getStore();
    // Work that a request starts may outlive the request, for example in a queue. Such work gets no
    // parent span.
    const parent = current === undefined || current.isEnded ? null : current;
    const spanKind = kind === "client" ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL;
    const span = this.#spans.startSpan(
      name,
      { kind: spanKind, attributes },
      parent === null ? api.ROOT_CONTEXT : api.trace.setSpan(api.ROOT_CONTEXT, parent.span),
    );
    const scope: Scope = { span, request: parent?.request ?? null, isEnded: false };
    try {
      const result = await this.#current.run(scope, run);
      if (describe !== undefined) this.#describe(span, describe(result));
      return result;
    } catch (error) {
      this.#describe(span, { "error.type": codeOf(error) });
      throw error;
    } finally {
      end(scope);
    }
  }

  describeRequest(attributes: SpanAttributes): void {
    const request = this.#current.getStore()?.request;
    if (request === undefined || request === null) return;
    request.span.setAttributes(attributes);
    const { "http.route": route } = attributes;
    if (route !== undefined) request.span.updateName(`${request.method} ${route}`);
  }

  #noteStatus(span: Span, status: number): void {
    span.setAttribute("http.response.status_code", status);
    if (status >= SERVER_ERROR) this.#describe(span, { "error.type": String(status) });
  }

  /** Sets attributes; an `error.type` also marks the span as failed. */
  #describe(span: Span, attributes: SpanAttributes): void {
    span.setAttributes(attributes);
    if ("error.type" in attributes) {
      span.setStatus({ code: this.#libraries.api.SpanStatusCode.ERROR });
    }
  }
}

function end(scope: Scope): void {
  scope.isEnded = true;
  scope.span.end();
}

/** An error's code or class. Its message is omitted, because it may contain anything. */
function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  if (!(error instanceof Error)) return "unknown";
  const code = "code" in error ? String(error.code) : "";
  return ERROR_CODE.test(code) ? code : error.constructor.name;
}
