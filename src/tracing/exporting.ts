import { Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { AppError, englishOnlyWording } from "../errors.ts";
import type { Log } from "../log.ts";
import { RepeatedErrorLogger } from "../repeated-error-logger.ts";

/**
 * Time limit for one export. The library itself never closes a connection to a collector whose response
 * does not end.
 */
const ANSWER_MILLISECONDS_MAX = 10_000;
/** A fault is logged again only if it recurs after this long without a fault. */
const QUIET_MILLISECONDS = 10 * 60 * 1000;
const EXPORT_FAILED = "Sending traces failed, they are dropped";

/** The connections to the collector. */
export class CollectorConnections {
  #agent: PlainAgent | TlsAgent | null = null;

  readonly agent = (protocol: string): PlainAgent | TlsAgent => {
    this.#agent ??=
      protocol === "https:" ? new TlsAgent(AGENT_OPTIONS) : new PlainAgent(AGENT_OPTIONS);
    return this.#agent;
  };

  /** Closes all connections; new ones are opened as needed. */
  closeAll(): void {
    this.#agent?.destroy();
  }
}

const AGENT_OPTIONS = { keepAlive: true };

/**
 * Wraps an exporter so that its faults are logged. A fault that recurs is logged once. Leaves out
 * messages of the collector and the library, because they may contain a credential.
 */
export function withErrorLogging(
  exporter: SpanExporter,
  { connections, log }: { connections: CollectorConnections; log: Log },
): SpanExporter {
  const faults = new RepeatedErrorLogger(log, { quietMilliseconds: QUIET_MILLISECONDS });
  return {
    export(spans, done) {
      const timer = setTimeout(() => connections.closeAll(), ANSWER_MILLISECONDS_MAX).unref();
      exporter.export(spans, (result) => {
        clearTimeout(timer);
        if (result.error !== undefined) faults.failed(EXPORT_FAILED, faultOf(result.error));
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  };
}

function faultOf(error: Error): AppError {
  const code = "code" in error ? String(error.code) : "";
  const isStatus = /^\d{3}$/.test(code);
  const reason = isStatus
    ? `it answered ${code}`
    : /^\w{1,50}$/.test(code)
      ? code
      : "it does not answer in time";
  return new AppError(
    "unavailable",
    englishOnlyWording(`The collector takes no traces: ${reason}`),
  );
}
