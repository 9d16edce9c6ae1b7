import type { Verdict } from "../verdict.ts";
import { ask, toolCall } from "./asking.ts";
import type { ScaledSite } from "./site.ts";

const CALLS = 200;
const RATE = 60;
const AT_ONCE = 20;

/** Calls with one key through the proxy, which forwards to both instances in turn. */
export async function judgeSpreadLimit(site: ScaledSite): Promise<Verdict[]> {
  const key = await site.issueKey(["mcp:read"], RATE);
  const statuses: number[] = [];
  const byInstance = new Map<string, number>();
  const begun = performance.now();
  let left = CALLS;
  const client = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await ask(site.origin, toolCall(key, "list_topics", { limit: 1 }));
      statuses.push(answer.status);
      byInstance.set(answer.upstream, (byInstance.get(answer.upstream) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  const took = performance.now() - begun;
  const accepted = statuses.filter((status) => status === 200).length;
  const refused = statuses.filter((status) => status === 429).length;
  const shares = site.instances.map(({ address }) => byInstance.get(address) ?? 0);
  return [
    {
      what: `${CALLS} calls over both instances with a key of ${RATE} a minute: ${RATE} accepted`,
      passed:
        accepted === RATE &&
        refused === CALLS - RATE &&
        shares.every((share) => share >= CALLS / 4) &&
        took < 60_000,
      detail: `${accepted} accepted, ${refused} refused, ${shares.join(" and ")} of them at each, in ${(took / 1000).toFixed(1)} s`,
    },
  ];
}
