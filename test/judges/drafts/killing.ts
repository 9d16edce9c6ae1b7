import { setTimeout as wait } from "node:timers/promises";
import { askApi, type KillableSite } from "./site.ts";

const SAVING_MS_MAX = 300;
const BACK_WITHIN_MS = 300_000;
const PAUSE_MS = 50;

export interface Killed {
  kills: number;
  acknowledged: number;
  lost: string[];
}

/** What is killed: the server, or the database below it. */
export type Victim = Pick<KillableSite, "start" | "kill">;

/** Kills one of the victims at random times while a draft is saved without pause. */
export async function killWhileSaving(
  site: KillableSite,
  { kills, next, victims }: { kills: number; next: () => number; victims: readonly Victim[] },
): Promise<Killed> {
  const result: Killed = { kills: 0, acknowledged: 0, lost: [] };
  const { body } = await askApi(site, "POST", "/drafts", { body: { type: "topic", changes: {} } });
  const draft = { id: String(body.id), version: Number(body.version), typed: 0, acknowledged: 0 };
  for (; result.kills < kills; result.kills += 1) {
    const saving = saveUntilCut(site, draft, result);
    await wait(next() % SAVING_MS_MAX);
    const victim = victims[next() % victims.length] ?? site;
    await victim.kill();
    await saving;
    await victim.start();
    const kept = await readOnceBack(site, draft.id);
    const found = Number(/\d+/.exec(String(kept.body?.changes?.title ?? ""))?.[0] ?? 0);
    if (found < draft.acknowledged) {
      result.lost.push(`kill ${result.kills}: typed ${draft.acknowledged}, found ${found}`);
    }
    draft.version = kept.body.version;
  }
  return result;
}

/** Reads a draft as soon as the service answers again. */
async function readOnceBack(site: KillableSite, id: string) {
  const deadline = performance.now() + BACK_WITHIN_MS;
  for (;;) {
    const kept = await askApi(site, "GET", `/drafts/${id}`);
    if (kept.status !== 503 || performance.now() > deadline) return kept;
    await wait(PAUSE_MS);
  }
}

async function saveUntilCut(
  site: KillableSite,
  draft: { id: string; version: number; typed: number; acknowledged: number },
  result: Killed,
): Promise<void> {
  for (;;) {
    draft.typed += 1;
    const changes = { title: `Typed ${draft.typed}` };
    const options = { body: { version: draft.version, changes } };
    const answer = await askApi(site, "PATCH", `/drafts/${draft.id}`, options).catch(() => null);
    if (answer?.status !== 200) return;
    draft.version = answer.body.version;
    draft.acknowledged = draft.typed;
    result.acknowledged += 1;
  }
}
