import type { DemoServer } from "../demo-server.ts";
import type { Verdict } from "../verdict.ts";
import { Mix, type Site } from "./mix.ts";
import { Answers, Client, sendAtRate, sendWithoutPause } from "./traffic.ts";

const TIMES_CAPACITY = 10;
const SEARCH_MS_MAX = 1000;
const PAGE_MS_MAX = 100;
const OTHERS = 10;

interface GreedyOptions {
  seed: number;
  seconds: number;
  forwarded: boolean;
}

/** One address requests ten times as many searches and new pages as the server can answer. */
export async function judgeGreedy(
  server: DemoServer,
  site: Site,
  { seed, seconds, forwarded }: GreedyOptions,
): Promise<Verdict[]> {
  const { origin } = server;
  const mix = new Mix(site, seed);
  using greedy = new Client(origin, "127.0.6.1", { forwarded });
  using keyed = new Client(origin, "127.0.6.1", { forwarded });
  const others = Array.from({ length: OTHERS }, (_, number) => {
    return new Client(origin, `127.0.7.${1 + number}`, { forwarded });
  });
  const figures = {
    greedy: new Answers(),
    searches: new Answers(),
    pages: new Answers(),
    calls: new Answers(),
    quietCalls: new Answers(),
  };
  const pick = () => others[Math.floor(Math.random() * OTHERS)] ?? greedy;
  const greedyOne = () => greedy.send(mix.search(), figures.greedy);
  await sendAtRate(10, 2, () => keyed.send(mix.call(), figures.quietCalls));
  const capacity = await sendWithoutPause(4, 3, greedyOne);
  figures.greedy = new Answers();
  const answered = figures.greedy;
  await Promise.all([
    sendAtRate(capacity * TIMES_CAPACITY, seconds, () => {
      return greedy.send(mix.search(), answered);
    }),
    sendAtRate(5, seconds, () => pick().send(mix.search(), figures.searches)),
    sendAtRate(20, seconds, () => pick().send(mix.page(), figures.pages)),
    // Requests of the greedy address with a key.
    sendAtRate(10, seconds, () => keyed.send(mix.call(), figures.calls)),
  ]);
  for (const other of others) other[Symbol.dispose]();
  const { searches, pages, calls, quietCalls } = figures;
  const quick = searches.milliseconds.filter((each) => each < SEARCH_MS_MAX).length;
  const name = `one address at ${TIMES_CAPACITY} × ${capacity.toFixed(0)} searches a second`;
  return [
    {
      what: `${name}: searches of others`,
      passed: searches.answered >= 0.99 * searches.asked,
      detail: `${searches}; its own: ${answered}`,
    },
    {
      what: "searches of others, within a second",
      isOfTime: true,
      passed: quick >= 0.99 * searches.asked,
      detail: `${quick} of ${searches.asked}`,
    },
    {
      what: "pages of others",
      passed: pages.answered === pages.asked,
      detail: String(pages),
    },
    {
      what: "calls with a key, from that address",
      passed: calls.answered === calls.asked,
      detail: `${calls}; before: ${quietCalls}`,
    },
    {
      what: `both within ${PAGE_MS_MAX} ms (p99)`,
      isOfTime: true,
      passed: Math.max(pages.within(99), calls.within(99)) <= PAGE_MS_MAX,
      detail: `${pages.within(99).toFixed(0)} and ${calls.within(99).toFixed(0)} ms`,
    },
  ];
}
