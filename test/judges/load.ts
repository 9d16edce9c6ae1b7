import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { startDemoServer } from "./demo-server.ts";
import { judgeGreedy } from "./load/greedy.ts";
import { openSite } from "./load/mix.ts";
import { judgeOverload, judgeSoak, measuredCapacity } from "./load/overload.ts";
import { judgeUnread } from "./load/unread.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Loads a server with more than it can answer and with clients that do not read, and judges what other
 * clients notice: `npm run prove:load -- [--full] [--seed N] [--only PART]… [--workers N] [--forwarded]`.
 * Parts: unread, greedy, overload, soak. `--full` takes 16 minutes instead of two and a half.
 * `--forwarded`: behind a proxy, with TRUST_PROXY.
 */
const { values: flags } = parseArgs({
  options: {
    full: { type: "boolean", default: false },
    seed: { type: "string", default: String(Date.now() % 100_000) },
    only: { type: "string", multiple: true, default: ["unread", "greedy", "overload", "soak"] },
    workers: { type: "string", default: "1" },
    forwarded: { type: "boolean", default: false },
  },
});
const SIZES = flags.full
  ? {
      unread: { silent: 1000, pipelined: 10_000, headers: 100_000, idle: 10_000 },
      seconds: { greedy: 30, overload: 60, soak: 600 },
      rounds: 9,
    }
  : {
      unread: { silent: 100, pipelined: 10_000, headers: 5000, idle: 2000 },
      seconds: { greedy: 8, overload: 10, soak: 10 },
      rounds: 3,
    };
const { unread, seconds, rounds } = SIZES;
const seed = Number(flags.seed);
const { forwarded } = flags;

const environment = { WORKERS: flags.workers, TRUST_PROXY: forwarded ? "1" : "0" };
const server = await startDemoServer(undefined, environment);
const verdicts: Verdict[] = [];
try {
  const site = await openSite(server);
  if (flags.only.includes("unread")) verdicts.push(...(await judgeUnread(server, unread)));
  if (flags.only.includes("greedy")) {
    const options = { seed, seconds: seconds.greedy, forwarded };
    verdicts.push(...(await judgeGreedy(server, site, options)));
  }
  if (flags.only.includes("overload") || flags.only.includes("soak")) {
    const options = { seed, seconds: seconds.overload, forwarded };
    const capacity = await measuredCapacity(server, site, options);
    if (flags.only.includes("overload")) {
      verdicts.push(...(await judgeOverload(server, site, { ...options, capacity, rounds })));
    }
    if (flags.only.includes("soak")) {
      const soak = { ...options, seconds: seconds.soak, capacity };
      verdicts.push(...(await judgeSoak(server, site, soak)));
    }
  }
} finally {
  await server.stop();
}
const load = loadavg()[0]?.toFixed(1);
console.log(
  `seed ${seed}; times hold for a quiet machine: the load was ${load} on ${availableParallelism()} processors`,
);
process.exitCode = announce(verdicts);
