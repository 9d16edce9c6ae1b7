import { Histogram, type MetricSample } from "./histogram.ts";

const SERVICE_PARTS = ["page", "media", "mcp", "api", "admin"] as const;
const STATUS_CLASSES = ["1xx", "2xx", "3xx", "4xx", "5xx"] as const;
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const TOO_MANY_REQUESTS = 429;
/** Maximum size of the map of tool names. Only a precaution, because the names come from fixed tables. */
const TOOLS_MAX = 200;

const CUT_OFF_REASONS = ["memory", "stalled", "overload"] as const;

/** The part of the service to which the metrics assign an answer. */
export type ServicePart = (typeof SERVICE_PARTS)[number];

/**
 * Counts answers. The counts are plain numbers, since counting must cost next to nothing. They name no
 * clients and no content.
 */
export class ResponseCounts {
  readonly #parts = {
    page: new ServicePartCounts(),
    media: new ServicePartCounts(),
    mcp: new ServicePartCounts(),
    api: new ServicePartCounts(),
    admin: new ServicePartCounts(),
  };
  readonly #tools = new Map<string, number>();
  readonly #cutOff = { memory: 0, stalled: 0, overload: 0 };
  #repeated = 0;

  readonly countResponse = (part: ServicePart, status: number, milliseconds: number): void => {
    this.#parts[part].note(status, milliseconds);
  };

  /**
   * Counts an answer from the cache with a duration of 0: reading the clock would cost more than
   * the answer.
   */
  readonly countCachedResponse = (status: number): void => {
    this.#repeated += 1;
    this.#parts.page.note(status, 0);
  };

  /** Counts a connection that the server closed, or a request that it refused under overload. */
  readonly countCutOff = (reason: (typeof CUT_OFF_REASONS)[number]): void => {
    this.#cutOff[reason] += 1;
  };

  /** Counts an MCP message. `tool` is the name of the called tool, or the method of any other message. */
  readonly countCall = (tool: string): void => {
    if (this.#tools.size < TOOLS_MAX || this.#tools.has(tool)) {
      this.#tools.set(tool, (this.#tools.get(tool) ?? 0) + 1);
    }
  };

  *samples(): Generator<MetricSample> {
    for (const part of SERVICE_PARTS) yield* this.#parts[part].samples(part);
    yield ["commonplace_repeated_answers_total", this.#repeated];
    for (const reason of CUT_OFF_REASONS) {
      yield [`commonplace_cut_off_total{reason="${reason}"}`, this.#cutOff[reason]];
    }
    for (const [tool, count] of this.#tools) {
      yield [`commonplace_mcp_calls_total{tool="${tool}"}`, count];
    }
  }
}

class ServicePartCounts {
  readonly #byClass = new Float64Array(STATUS_CLASSES.length);
  readonly #durations = new Histogram(DURATION_BUCKETS);
  #refusals = 0;

  note(status: number, milliseconds: number): void {
    const index = Math.floor(status / 100) - 1;
    this.#byClass[index] = (this.#byClass[index] ?? 0) + 1;
    if (status === TOO_MANY_REQUESTS) this.#refusals += 1;
    this.#durations.note(milliseconds / 1000);
  }

  *samples(part: ServicePart): Generator<MetricSample> {
    for (const [index, name] of STATUS_CLASSES.entries()) {
      const count = this.#byClass[index] ?? 0;
      yield [`commonplace_requests_total{door="${part}",status="${name}"}`, count];
    }
    yield [`commonplace_rate_refusals_total{door="${part}"}`, this.#refusals];
    yield* this.#durations.samples("commonplace_request_seconds", `door="${part}"`);
  }
}
