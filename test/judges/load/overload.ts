import { setTimeout as wait } from "node:timers/promises";
import { cpuSecondsOf } from "../../../bench/load/process.ts";
import type { DemoServer } from "../demo-server.ts";
import { type Asked, percentile } from "../scale/asking.ts";
import type { Verdict } from "../verdict.ts";
import { Mix, type Site } from "./mix.ts";
import { residentMegabytes } from "./process-memory.ts";
import { Answers, Client, sendAtRate, sendWithoutPause } from "./traffic.ts";

const TIMES_CAPACITY = 3;
const SOAK_SHARE = 0.6;
const ANSWERED_MS_MAX = 1000;
const REFUSED_MS_MAX = 50;
const RECOVERED_MS_MAX = 1000;
const GOODPUT_MIN = 0.9;
const GROWTH_MEGABYTES_MAX = 32;
const SETTLED_SECONDS = 120;
const CLIENTS = 20;
/** The capacity differs by a fifth between intervals of five seconds. */
const WARM_UP_SECONDS = 8;
const MEASURED_SECONDS = 15;

interface LoadOptions {
  seed: number;
  seconds: number;
  forwarded: boolean;
}

/** Many concurrent clients. */
class Clients implements Disposable {
  readonly #clients: Client[];
  #turn = 0;

  constructor(origin: string, forwarded: boolean) {
    this.#clients = Array.from({ length: CLIENTS }, (_, number) => {
      return new Client(origin, `127.0.8.${1 + number}`, { forwarded });
    });
  }

  next(): Client {
    this.#turn += 1;
    const client = this.#clients[this.#turn % CLIENTS];
    if (client === undefined) throw new Error("There are no clients");
    return client;
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) client[Symbol.dispose]();
  }
}

/** @returns requests of the mix that are answered per second, with enough clients to keep the server busy. */
export async function measuredCapacity(
  server: DemoServer,
  site: Site,
  { seed, forwarded }: LoadOptions,
): Promise<number> {
  const mix = new Mix(site, seed);
  using clients = new Clients(server.origin, forwarded);
  return (await sendBusily(server, clients, () => mix.any())).perSecond;
}

interface Throughput {
  perSecond: number;
  /** The fairer measure on a machine with other programs. */
  perCpuSecond: number;
}

async function sendBusily(
  server: DemoServer,
  clients: Clients,
  nextRequest: () => Asked,
): Promise<Throughput> {
  const sendOne = (answers: Answers) => clients.next().send(nextRequest(), answers);
  const warmUpAnswers = new Answers();
  await sendWithoutPause(CLIENTS, WARM_UP_SECONDS, () => sendOne(warmUpAnswers));
  const answers = new Answers();
  const cpuBefore = cpuSecondsOf(server.pid);
  const perSecond = await sendWithoutPause(CLIENTS, MEASURED_SECONDS, () => sendOne(answers));
  const cpuSeconds = cpuSecondsOf(server.pid) - cpuBefore;
  return { perSecond, perCpuSecond: answers.answered / cpuSeconds };
}

/**
 * Sends three times as much as the server can answer, from many addresses. Keys have shares of their own, so
 * that more of the changes are answered than of the pages, and a change costs more than a page: the goodput
 * is compared with the same requests, sent once more without overload.
 */
export async function judgeOverload(
  server: DemoServer,
  site: Site,
  { capacity, seed, seconds, forwarded }: LoadOptions & { capacity: number },
): Promise<Verdict[]> {
  using clients = new Clients(server.origin, forwarded);
  const mix = new Mix(site, seed + 1);
  const answers = new Answers();
  const rate = capacity * TIMES_CAPACITY;
  const cpuBefore = cpuSecondsOf(server.pid);
  await sendAtRate(rate, seconds, () => clients.next().send(mix.any(), answers));
  const cpuSeconds = cpuSecondsOf(server.pid) - cpuBefore;
  const recovered = await untilRecovered(() => clients.next(), mix);
  const again = await sendBusily(server, clients, repeating(answers.answeredRequests));
  const goodput = answers.answered / cpuSeconds / again.perCpuSecond;
  const changes = answers.answeredRequests.filter(({ method }) => method === "PATCH").length;
  const changesPercent = ((100 * changes) / answers.answered).toFixed(1);
  const refusedMs = percentile(answers.refusedMilliseconds, 99);
  return [
    {
      what: `${TIMES_CAPACITY} × ${capacity.toFixed(0)} requests a second: goodput`,
      passed: goodput >= GOODPUT_MIN && answers.failures.length === 0,
      detail: `${(goodput * 100).toFixed(0)} % by processor time of what the same requests, ${changesPercent} % of them changes, take without overload (${again.perSecond.toFixed(0)} a second); ${answers.failures[0] ?? "nothing failed"}`,
    },
    {
      what: "answered within a second (p99), refused within 50 ms (p99)",
      isOfTime: true,
      passed: answers.within(99) <= ANSWERED_MS_MAX && refusedMs <= REFUSED_MS_MAX,
      detail: `${answers}; the server had ${(cpuSeconds / seconds).toFixed(2)} processors`,
    },
    {
      what: "recovered",
      isOfTime: true,
      passed: recovered <= RECOVERED_MS_MAX,
      detail: `20 pages without a refusal after ${recovered.toFixed(0)} ms`,
    },
  ];
}

function repeating(requests: readonly Asked[]): () => Asked {
  let number = 0;
  return () => {
    const request = requests[number % requests.length];
    if (request === undefined) throw new Error("Nothing was answered");
    number += 1;
    return request;
  };
}

/** @returns milliseconds until 20 pages in a row are answered. */
async function untilRecovered(client: () => Client, mix: Mix): Promise<number> {
  const begun = performance.now();
  let answered = 0;
  while (answered < 20 && performance.now() - begun < 10 * RECOVERED_MS_MAX) {
    const answers = new Answers();
    await Promise.all(Array.from({ length: 4 }, () => client().send(mix.page(), answers)));
    answered = answers.answered === answers.asked ? answered + answers.answered : 0;
    await wait(5);
  }
  return performance.now() - begun;
}

/** Normal load over time. Growth is judged from the second minute on, if the run is that long. */
export async function judgeSoak(
  server: DemoServer,
  site: Site,
  { capacity, seed, seconds, forwarded }: LoadOptions & { capacity: number },
): Promise<Verdict[]> {
  using clients = new Clients(server.origin, forwarded);
  const mix = new Mix(site, seed + 2);
  const answers = new Answers();
  const samples: number[] = [];
  const sampleTimer = setInterval(() => samples.push(residentMegabytes(server.pid)), 1000);
  await sendAtRate(capacity * SOAK_SHARE, seconds, () => {
    return clients.next().send(mix.any(), answers);
  });
  clearInterval(sampleTimer);
  const settled = samples.slice(SETTLED_SECONDS);
  const quarter = Math.ceil(settled.length / 4);
  const growth =
    settled.length < quarter * 4 || quarter === 0
      ? 0
      : percentile(settled.slice(-quarter), 50) - percentile(settled.slice(0, quarter), 50);
  return [
    {
      what: `${seconds} s at ${SOAK_SHARE * 100} % of capacity`,
      passed: answers.failures.length === 0 && growth <= GROWTH_MEGABYTES_MAX,
      detail: `${answers.failures[0] ?? "nothing failed"}; ${answers}; ${growth.toFixed(0)} MB of growth after ${SETTLED_SECONDS} s`,
    },
    {
      // A machine with other programs may have less capacity now than when it was measured.
      what: "nothing refused meanwhile",
      isOfTime: true,
      passed: answers.refusedMilliseconds.length === 0,
      detail: `${answers.refusedMilliseconds.length} of ${answers.asked}`,
    },
  ];
}
