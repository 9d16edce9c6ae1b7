import { setTimeout as wait } from "node:timers/promises";
import { askApi, type KillableSite } from "./site.ts";

const SAVING_MS_MAX = 300;

export interface Killed {
  kills: number;
  acknowledged: number;
  lost: string[];
}

/** Kills the server at random times while a draft is saved without pause. */
export async function killWhileSaving(
  site: KillableSite,
  { kills, next }: { kills: number; next: () => number },
): Promise<Killed> {
  const result: Killed = { kills: 0, acknowledged: 0, lost: [] };
  const { body } = await askApi(site, "POST", "/drafts", { body: { type: "topic", changes: {} } });
  const draft = { id: String(body.id), version: Number(body.version), typed: 0, acknowledged: 0 };
  for (; result.kills < kills; result.kills += 1) {
    const saving = saveUntilCut(site, draft, result);
    await wait(next() % SAVING_MS_MAX);
    await site.kill();
    await saving;
    await site.start();
    const kept = await askApi(site, "GET", `/drafts/${draft.id}`);
    const found = Number(/\d+/.exec(String(kept.body?.changes?.title ?? ""))?.[0] ?? 0);
    if (found < draft.acknowledged) {
      result.lost.push(`kill ${result.kills}: typed ${draft.acknowledged}, found ${found}`);
    }
    draft.version = kept.body.version;
  }
  return result;
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
