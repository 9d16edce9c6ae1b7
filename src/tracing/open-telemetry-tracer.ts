import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Span, Tracer as SpanFactory } from "@opentelemetry/api";
import { AppError } from "../errors.ts";
import type { SpanAttributes, TracedStep, Tracer } from "../tracing.ts";
import type { TracingLibraries } from "./libraries.ts";
import { linksFromTraceparent } from "./linked-trace.ts";

const SERVER_ERROR = 500;
/**
 * HTTP methods that are recorded by name. Others are recorded as `_OTHER`, because clients can send any word.
 */
const KNOWN_METHODS: ReadonlySet<string> = new Set(
  "GET HEAD POST PUT PATCH DELETE OPTIONS CONNECT TRACE QUERY".split(" "),
);
/** Matches error codes that are safe to record, as opposed to free text. */
const ERROR_CODE = /^\w{1,50}$/;

/** A span in which steps run. The span of each step is a child of this span. */
interface Scope {
  span: Span;
  /** The span and method of the request that `span` belongs to; null: background work. */
  request: { span: Span; method: string } | null;
  isEnded: boolean;
}

/** Records requests and steps as spans of OpenTelemetry. */
export class OpenTelemetryTracer implements Tracer {
  readonly #spans: SpanFactory;
  readonly #libraries: TracingLibraries;
  readonly #scheme: string;
  readonly #current = new AsyncLocalStorage<Scope>();

  constructor(
    spans: SpanFactory,
    { libraries, scheme }: { libraries: TracingLibraries; scheme: string },
  ) {
    this.#spans = spans;
    this.#libraries = libraries;
    this.#scheme = scheme.replace(":", "");
  }

  request(request: IncomingMessage, response: ServerResponse, run: () => void): void {
    const { api } = this.#libraries;
    const { method = "" } = request;
    const knownMethod = KNOWN_METHODS.has(method) ? method : "_OTHER";
    const links = linksFromTraceparent(request.headers["traceparent"]);
    const attributes = {
      "http.request.method": knownMethod,
      "url.scheme": this.#scheme,
      "network.protocol.version": request.httpVersion,
    };
    // Always starts a new trace, because a header from a stranger must not decide what is sampled.
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
    { name, kind, attributes = {} }: TracedStep,
    run: () => Promise<T>,
    describe?: (result: T) => SpanAttributes,
  ): Promise<T> {
    const { api } = this.#libraries;
    const current = this.#current.getStore();
    // A span that has ended gets no children. Work that a request starts, for example in a queue, may
    // outlive the request.
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
