import { setTimeout as wait } from "node:timers/promises";
import { judgeCopies } from "./scale/copies.ts";
import { corpusAt } from "./scale/corpus.ts";
import { describeLoad, Load } from "./scale/load.ts";
import { judgeOutage } from "./scale/outage.ts";
import { judgePublishing } from "./scale/publishing.ts";
import { judgeKill, judgeRollingRestart } from "./scale/restarts.ts";
import { startScaledSite } from "./scale/site.ts";
import { judgeSpreadLimit } from "./scale/spread-limit.ts";
import { announce, type Verdict } from "./verdict.ts";

/**
 * Simulates several machines on one: PostgreSQL, two instances and nginx under constant load, while items are
 * published and parts fail: `npm run prove:scale-out -- [FOLDER]`, with a corpus like that of `bench:bulk`, or a made-up one.
 */
const WARM_MS = 3000;

await using site = await startScaledSite(corpusAt(process.argv[2]), tell);
const { origin, paths, words, readers } = site;
const verdicts: Verdict[] = [];
{
  await using load = new Load({ origin, paths, words, keys: readers });
  await wait(WARM_MS);
  const settled = await load.look();
  verdicts.push({
    what: "two instances answer behind the proxy",
    passed: settled.lost.length === 0,
    detail: describeLoad(settled),
  });
  tell("publishing");
  verdicts.push(...(await judgePublishing(site)));
  const published = await load.look();
  verdicts.push({
    what: "meanwhile every page, search and call is answered",
    passed: published.lost.length === 0,
    detail: describeLoad(published),
  });
  tell("the database goes away");
  verdicts.push(...(await judgeOutage(site, load)));
  tell("an instance is killed");
  verdicts.push(...(await judgeKill(site, load)));
  tell("both restart, one after the other");
  verdicts.push(...(await judgeRollingRestart(site, load)));
  tell("one key calls both");
  verdicts.push(...(await judgeSpreadLimit(site)));
}
tell("the copies are compared");
await Promise.all(site.instances.map((instance) => instance.stop()));
verdicts.push(...(await judgeCopies(site)));
process.exitCode = announce(verdicts);

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}
