import assert from "node:assert/strict";
import { createServer } from "node:http";
import { afterEach, describe, it } from "node:test";
import { checkLink } from "../../src/links/checking/check-link.ts";
import { createLog } from "../../src/log.ts";
import type { DueMail } from "../../src/mail/outbox.ts";
import { createSmtpDelivery } from "../../src/mail/sending/smtp.ts";
import { startTracing } from "../../src/tracing/open-telemetry.ts";
import { traceStep } from "../../src/tracing.ts";
import { postToReceiver } from "../../src/webhooks/sending/post.ts";
import { ended, listening } from "../support/listening.ts";
import { openCollector } from "../support/trace-collector.ts";

const SECRET = "collectors-secret";
const STEP = { name: "step", kind: "internal" } as const;
const ALWAYS = { sampler: "parentbased_always_on", ratio: 1 } as const;
const CLIENT = 3;
const MAIL: DueMail = {
  id: "1",
  kind: "health",
  about: "health",
  to: "ann@example.org",
  replyTo: null,
  subject: "Privatesubject",
  text: "Text",
  attempts: 1,
  createdAt: "2026-11-24T12:00:00Z",
};
const BATCH = 512;
const QUEUED_MAX = 2048;

afterEach(() => {
  delete process.env["OTEL_EXPORTER_OTLP_ENDPOINT"];
  delete process.env["OTEL_EXPORTER_OTLP_HEADERS"];
});

/** Traces work and stops. @returns what was logged, and how long the stop took. */
async function traceWork(
  endpoint: string,
  work: () => Promise<unknown>,
  traces: Parameters<typeof startTracing>[0]["traces"] = ALWAYS,
): Promise<{ lines: string[]; stopMilliseconds: number }> {
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = endpoint;
  process.env["OTEL_EXPORTER_OTLP_HEADERS"] = `authorization=Bearer%20${SECRET}`;
  const lines: string[] = [];
  const log = createLog("debug", (line) => lines.push(line));
  const tracing = await startTracing({ traces, origin: "https://example.org" }, log);
  await work();
  const begun = performance.now();
  await tracing[Symbol.asyncDispose]();
  return { lines, stopMilliseconds: performance.now() - begun };
}

function steps(count: number): () => Promise<void> {
  return async () => {
    for (let done = 0; done < count; done += 1) await traceStep(STEP, async () => done);
  };
}

function isOneLine(lines: readonly string[], fault: RegExp): void {
  assert.equal(lines.length, 1, lines.join(""));
  assert.match(lines[0] ?? "", /Sending traces failed, they are dropped/);
  assert.match(lines[0] ?? "", fault);
  assert.doesNotMatch(lines[0] ?? "", new RegExp(`${SECRET}|collectors words`));
}

describe("sending traces", () => {
  it("sends what waits when it stops", async () => {
    await using collector = await openCollector();
    const { lines } = await traceWork(collector.endpoint, steps(3));
    assert.deepEqual(lines, []);
    assert.equal(collector.spans.length, 3);
    const { "service.name": name, "service.version": version } = collector.services[0] ?? {};
    assert.equal(name, "commonplace");
    assert.match(String(version), /^\d+\.\d+/);
    assert.deepEqual(collector.authorizations, [`Bearer ${SECRET}`]);
  });

  it("samples as the settings say", async () => {
    await using collector = await openCollector();
    await traceWork(collector.endpoint, steps(3), { sampler: "always_off", ratio: 1 });
    assert.equal(collector.bodies.length, 0);
    const traces = { sampler: "parentbased_traceidratio", ratio: 0.5 } as const;
    await traceWork(collector.endpoint, steps(400), traces);
    const { length } = collector.spans;
    assert(length > 120 && length < 280, `${length} of 400`);
  });

  it("logs one line for many exports that a collector refuses, without its words", async () => {
    await using collector = await openCollector((_request, response) => {
      response.writeHead(400).end("collectors words");
    });
    const { lines } = await traceWork(collector.endpoint, steps(3 * BATCH));
    assert(collector.bodies.length > 1);
    isOneLine(lines, /it answered 400/);
  });

  it("logs one line when what answers is no HTTP", async () => {
    await using collector = await openCollector((_request, { socket }) => {
      socket?.end("collectors words");
    });
    isOneLine((await traceWork(collector.endpoint, steps(1))).lines, /HPE_INVALID_CONSTANT/);
  });

  it("stops in time and keeps few spans while a collector takes them and never answers", async () => {
    await using collector = await openCollector((_request, response) => {
      response.write("{");
    });
    const { stopMilliseconds } = await traceWork(collector.endpoint, steps(3 * QUEUED_MAX));
    assert(stopMilliseconds > 1000 && stopMilliseconds < 5000, `${stopMilliseconds} ms`);
    assert(collector.spans.length > 0);
    assert(collector.spans.length <= BATCH + QUEUED_MAX, `${collector.spans.length} were kept`);
  });

  it("times webhooks, mail and links without saying where they lead", async () => {
    await using collector = await openCollector();
    const receiver = createServer((request, response) => {
      response.writeHead(request.method === "POST" ? 500 : 204).end();
    });
    const port = await listening(receiver);
    const url = `http://127.0.0.1:${port}/privatehook?token=${SECRET}`;
    const { signal } = new AbortController();
    const common = { privateNetworks: true, milliseconds: 5000, signal };
    const deliver = createSmtpDelivery({
      host: "127.0.0.1",
      port: 9,
      isSecure: false,
      login: null,
    });
    await traceWork(collector.endpoint, async () => {
      await postToReceiver({ url, body: "{}", headers: {}, ...common });
      const turns = { waitForTurn: async () => true, slowDown: async () => {} };
      await checkLink(url, { userAgent: "Tester", ...turns, ...common });
      await deliver(MAIL, { name: "Site", email: "site@example.org" }, signal);
    });
    await ended(receiver);
    assert.deepEqual(
      collector.spans.map(({ name, kind, attributes }) => [name, kind, attributes]),
      [
        [
          "webhook",
          CLIENT,
          { "error.type": "500", "http.request.method": "POST", "http.response.status_code": 500 },
        ],
        ["link check", CLIENT, { "http.request.method": "HEAD", "http.response.status_code": 204 }],
        ["mail", CLIENT, { "error.type": "not_delivered" }],
      ],
    );
    const sent = JSON.stringify(collector.bodies);
    for (const word of ["privatehook", SECRET, "127.0.0.1", "example.org", "Privatesubject"]) {
      assert(!sent.includes(word), word);
    }
  });
});
