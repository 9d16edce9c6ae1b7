import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Verdict } from "../verdict.ts";
import { ask, edit, percentile } from "./asking.ts";
import type { Instance } from "./instance.ts";
import type { ScaledSite } from "./site.ts";

const PUBLISHES = 240;
const SHOWN_WITHIN_MS = 1000;
const LOOKING_MS = 4;
/** After this long a change counts as never shown. */
const PATIENCE_MS = 15_000;

/**
 * Publishes through one instance and requests the page from the other until it shows the change. Alternates
 * between new items and changes of an item whose page the other has just cached.
 */
export async function judgePublishing({ instances, editor }: ScaledSite): Promise<Verdict[]> {
  const agent = new Agent({ keepAlive: true });
  const shownAfter: number[] = [];
  const faults: string[] = [];
  for (let turn = 0; turn < PUBLISHES; turn += 1) {
    const [from, to] = turn % 2 === 0 ? instances : [instances[1], instances[0]];
    const round = Math.floor(turn / 2);
    const title = `Published here and shown there ${turn}`;
    const made = await ask(from.origin, {
      ...edit(editor, "POST", "/content", { type: "topic", title, status: "published" }),
      agent,
    });
    if (made.status !== 201) {
      faults.push(`${made.status} ${made.text.slice(0, 200)}`);
      continue;
    }
    const { id, path } = JSON.parse(made.text);
    const isChange = round % 2 === 1;
    if (!isChange) {
      shownAfter.push(await untilShown(to, { path, text: title, agent }));
      continue;
    }
    await untilShown(to, { path, text: title, agent });
    const summary = `Told of later ${turn}`;
    const changed = await ask(from.origin, {
      ...edit(editor, "PATCH", `/content/${id}`, { summary }),
      agent,
    });
    if (changed.status === 200) {
      shownAfter.push(await untilShown(to, { path, text: summary, agent }));
    } else {
      faults.push(`${changed.status} ${changed.text.slice(0, 200)}`);
    }
  }
  agent.destroy();
  const [p50, p99, most] = [50, 99, 100].map((percent) => percentile(shownAfter, percent));
  return [
    {
      what: `a publish shows on the other instance within ${SHOWN_WITHIN_MS} ms at p99`,
      isOfTime: true,
      passed: Number(p99) <= SHOWN_WITHIN_MS,
      detail: `p50 ${p50?.toFixed(0)} ms, p99 ${p99?.toFixed(0)} ms, at most ${most?.toFixed(0)} ms`,
    },
    {
      what: "every publish is taken and shown",
      passed: shownAfter.length >= 200 && faults.length === 0 && Number(most) <= PATIENCE_MS,
      detail: `${shownAfter.length} of ${PUBLISHES}${faults.map((fault) => `; ${fault}`).join("")}`,
    },
  ];
}

/** Milliseconds until the page has the text. */
export async function untilShown(
  { origin }: Instance,
  { path, text, agent }: { path: string; text: string; agent?: Agent },
): Promise<number> {
  const begun = performance.now();
  const asked = { path, headers: { accept: "text/html" }, ...(agent ? { agent } : {}) };
  for (;;) {
    const answer = await ask(origin, asked).catch(() => null);
    const after = performance.now() - begun;
    if ((answer?.status === 200 && answer.text.includes(text)) || after > PATIENCE_MS) return after;
    await wait(LOOKING_MS);
  }
}
