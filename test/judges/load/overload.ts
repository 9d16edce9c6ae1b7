import { setTimeout as wait } from "node:timers/promises";
import { median } from "../../../bench/load/comparing.ts";
import { cpuSecondsOf } from "../../../bench/load/process.ts";
import type { DemoServer } from "../demo-server.ts";
import { type Asked, percentile } from "../scale/asking.ts";
import type { Verdict } from "../verdict.ts";
import { Mix, type Site } from "./mix.ts";
import { residentMegabytes } from "./process-memory.ts";
import { Answers, Client, sendAll, sendAtRate, sendWithoutPause } from "./traffic.ts";

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
/** Longer than it takes the server to notice an overload, and short enough for many rounds. */
const ROUND_SECONDS = 8;

interface LoadOptions {
  seed: number;
  seconds: number;
  forwarded: boolean;
}

interface OverloadOptions extends LoadOptions {
  /** Requests answered per second without overload. */
  capacity: number;
  /**
   * How often goodput is measured; its median counts, because the speed of a machine varies. Keys have shares of
   * their own, so that more of the changes are answered than of the pages, and a change costs more than a page:
   * each round compares overload with the requests that were answered, sent once more without it.
   */
  rounds: number;
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
  const answers = new Answers();
  const sendOne = () => clients.next().send(mix.any(), answers);
  await sendWithoutPause(CLIENTS, WARM_UP_SECONDS, sendOne);
  return await sendWithoutPause(CLIENTS, MEASURED_SECONDS, sendOne);
}

/** Sends three times as much as the server can answer, from many addresses. */
export async function judgeOverload(
  server: DemoServer,
  site: Site,
  { capacity, seed, seconds, rounds, forwarded }: OverloadOptions,
): Promise<Verdict[]> {
  using clients = new Clients(server.origin, forwarded);
  const mix = new Mix(site, seed + 1);
  const rate = capacity * TIMES_CAPACITY;
  const overload = async (answers: Answers, lasting: number) => {
    await sendAtRate(rate, lasting, () => clients.next().send(mix.any(), answers));
  };
  const answers = new Answers();
  const cpuSeconds = await cpuSecondsDuring(server, () => overload(answers, seconds));
  const recovered = await untilRecovered(() => clients.next(), mix);
  const refusedMs = percentile(answers.refusedMilliseconds, 99);
  const goodputs: number[] = [];
  const again = new Answers();
  const failures = [...answers.failures];
  let changes = 0;
  for (let round = 0; round < rounds; round += 1) {
    const some = new Answers();
    const overloaded = await cpuSecondsDuring(server, () => overload(some, ROUND_SECONDS));
    const sendOne = (request: Asked) => clients.next().send(request, again);
    const plain = await cpuSecondsDuring(server, () => {
      return sendAll(CLIENTS, some.answeredRequests, sendOne);
    });
    goodputs.push(plain / overloaded);
    changes += some.answeredRequests.filter(({ method }) => method === "PATCH").length;
    failures.push(...some.failures, ...again.failures.splice(0));
  }
  const percents = goodputs.map((each) => (each * 100).toFixed(0));
  const changesPercent = ((100 * changes) / again.answered).toFixed(1);
  const goodput = median(goodputs);
  return [
    {
      what: `${TIMES_CAPACITY} × ${capacity.toFixed(0)} requests a second: goodput`,
      passed: goodput >= GOODPUT_MIN && failures.length === 0,
      detail: `${(goodput * 100).toFixed(1)} % by processor time of what the same requests, ${changesPercent} % of them changes, take without overload (rounds: ${percents.join(", ")} %); ${failures[0] ?? "nothing failed"}`,
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

/** @returns seconds of processor time that the server takes meanwhile. */
async function cpuSecondsDuring(server: DemoServer, work: () => Promise<void>): Promise<number> {
  const before = cpuSecondsOf(server.pid);
  await work();
  return cpuSecondsOf(server.pid) - before;
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
