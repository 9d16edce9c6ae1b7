import { setTimeout as wait } from "node:timers/promises";
import type { Verdict } from "../verdict.ts";
import { describeLoad, type Load, type Lost } from "./load.ts";
import type { ScaledSite } from "./site.ts";

const GONE_MS = 5000;
const SETTLED_MS = 3000;

/** Kills an instance under load. Only the clients that it was answering may notice. */
export async function judgeKill({ instances }: ScaledSite, load: Load): Promise<Verdict[]> {
  const [, victim] = instances;
  await load.look();
  const killedAt = Date.now();
  await victim.kill();
  await wait(GONE_MS);
  const backIn = await victim.start();
  await wait(SETTLED_MS);
  const seen = await load.look();
  const wasInFlight = ({ upstream, sentAt, endedAt }: Lost) =>
    upstream.endsWith(victim.address) && sentAt <= killedAt && endedAt >= killedAt;
  const others = seen.lost.filter((lost) => !wasInFlight(lost));
  return [
    {
      what: "one instance killed: nothing lost but what it was answering",
      passed: others.length === 0,
      detail: `${describeLoad({ ...seen, lost: others })}, ${seen.lost.length - others.length} in flight; back after ${(backIn / 1000).toFixed(1)} s`,
    },
  ];
}

/** Restarts one instance after the other, as an upgrade does. */
export async function judgeRollingRestart(
  { instances }: ScaledSite,
  load: Load,
): Promise<Verdict[]> {
  await load.look();
  const codes: (number | null)[] = [];
  const started: number[] = [];
  for (const instance of instances) {
    codes.push(await instance.stop());
    started.push(await instance.start());
    await wait(SETTLED_MS);
  }
  const seen = await load.look();
  return [
    {
      what: "a rolling restart loses nothing",
      passed: seen.lost.length === 0 && codes.every((code) => code === 0),
      detail: `${describeLoad(seen)}; exit codes ${codes.join(", ")}; back after ${started.map((ms) => `${(ms / 1000).toFixed(1)} s`).join(" and ")}`,
    },
  ];
}
