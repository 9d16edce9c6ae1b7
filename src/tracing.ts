import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Attributes of a span. Their names follow OpenTelemetry's conventions. Their values are numbers and fixed
 * words, never client input or stored content, because traces leave this machine.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A step that is timed in traces. */
export interface TracedStep {
  name: string;
  /** `client`: waits for another server. */
  kind: "internal" | "client";
  attributes?: SpanAttributes;
}

export interface Tracer {
  /** Runs a request in a span that ends with the response. */
  request(request: IncomingMessage, response: ServerResponse, run: () => void): void;
  /** Runs a step in a child of the current span; `describe` returns attributes of the result. */
  step<T>(
    step: TracedStep,
    run: () => Promise<T>,
    describe?: (result: T) => SpanAttributes,
  ): Promise<T>;
  /** Adds attributes to the span of the current request. */
  describeRequest(attributes: SpanAttributes): void;
}

let tracer: Tracer | null = null;

/** Sets the tracer of this process; null: nothing is traced. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** Returns null if tracing is off. A call of this function is then the only cost of tracing. */
export function currentTracer(): Tracer | null {
  return tracer;
}

/** Runs a step, in a span if tracing is on. */
export function traceStep<T>(
  step: TracedStep,
  run: () => Promise<T>,
  describe?: (result: T) => SpanAttributes,
): Promise<T> {
  return tracer === null ? run() : tracer.step(step, run, describe);
}
