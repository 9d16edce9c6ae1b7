import { Agent as PlainAgent } from "node:http";
import { Agent as TlsAgent } from "node:https";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import { AppError, englishOnly } from "../errors.ts";
import type { Log } from "../log.ts";
import { RepeatedFaults } from "../repeated-faults.ts";

/** Ends connections whose collector answers without end, which the library does not. */
const ANSWER_MILLISECONDS_MAX = 10_000;
/** A collector that fails now and then is logged once in this time. */
const QUIET_MILLISECONDS = 10 * 60 * 1000;
const ACTIVITY = "Sending traces failed, they are dropped";

/** The connections to the collector. */
export class CollectorConnections {
  #agent: PlainAgent | TlsAgent | null = null;

  readonly agent = (protocol: string): PlainAgent | TlsAgent => {
    this.#agent ??= protocol === "https:" ? new TlsAgent(KEPT) : new PlainAgent(KEPT);
    return this.#agent;
  };

  /** Ends them; later ones are opened as needed. */
  cut(): void {
    this.#agent?.destroy();
  }
}

const KEPT = { keepAlive: true };

/** Logs faults, not each, and without what the collector or the library says: it may name a credential. */
export function watchedExporter(
  exporter: SpanExporter,
  { connections, log }: { connections: CollectorConnections; log: Log },
): SpanExporter {
  const faults = new RepeatedFaults(log, { quietMilliseconds: QUIET_MILLISECONDS });
  return {
    export(spans, done) {
      const limit = setTimeout(() => connections.cut(), ANSWER_MILLISECONDS_MAX).unref();
      exporter.export(spans, (result) => {
        clearTimeout(limit);
        if (result.error !== undefined) faults.failed(ACTIVITY, faultOf(result.error));
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
  const said = isStatus
    ? `it answered ${code}`
    : /^\w{1,50}$/.test(code)
      ? code
      : "it does not answer in time";
  return new AppError("unavailable", englishOnly(`The collector takes no traces: ${said}`));
}
