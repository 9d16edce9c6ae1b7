import { setTimeout as wait } from "node:timers/promises";
import type { Verdict } from "../verdict.ts";
import { type Answer, type Asked, ask, edit, percentile } from "./asking.ts";
import { describeLoad, type Load } from "./load.ts";
import { untilShown } from "./publishing.ts";
import type { ScaledSite } from "./site.ts";

const AWAY_MS = 30_000;
const BETWEEN_WRITES_MS = 400;
const CURRENT_WITHIN_MS = 5000;
const LINES_MAX = 10;

/** Stops the database for half a minute during reads and writes. */
export async function judgeOutage(site: ScaledSite, load: Load): Promise<Verdict[]> {
  const { postgres, instances } = site;
  await load.look();
  const before = instances.map(({ logged }) => logged.length);
  await postgres.stop();
  const refused = await writeInVain(site, AWAY_MS);
  const ready = await Promise.all(
    instances.map(({ origin }) => ask(origin, { path: "/readyz" }).then(({ status }) => status)),
  );
  const lines = instances.map(({ logged }, at) => logged.length - (before[at] ?? 0));
  await postgres.start();
  const currentAfter = await untilCurrent(site);
  const seen = await load.look();
  const unclean = refused.filter(({ answer }) => answer?.status !== 503 || !answer.retryAfter);
  const slowest = percentile(
    refused.map(({ milliseconds }) => milliseconds),
    100,
  );
  return [
    {
      what: `database away for ${AWAY_MS / 1000} s: every page, search and call answered`,
      passed: seen.lost.length === 0,
      detail: describeLoad(seen),
    },
    {
      what: "writing is refused meanwhile, with 503 and Retry-After",
      passed: refused.length >= 50 && unclean.length === 0,
      detail: `${refused.length} refused, the slowest after ${slowest.toFixed(0)} ms${unclean
        .slice(0, 3)
        .map(
          ({ answer, what }) => `; ${answer?.status ?? what} ${answer?.text.slice(0, 120) ?? ""}`,
        )
        .join("")}`,
    },
    {
      what: "both instances stay ready, so that no proxy takes them out",
      passed: ready.every((status) => status === 200),
      detail: ready.join(", "),
    },
    {
      what: `the logs tell of it in at most ${LINES_MAX} lines`,
      passed: lines.every((count) => count > 0 && count <= LINES_MAX),
      detail: `${lines.join(" and ")} lines`,
    },
    {
      what: `both write and show each other's again within ${CURRENT_WITHIN_MS} ms of its return`,
      isOfTime: true,
      passed: currentAfter <= CURRENT_WITHIN_MS,
      detail: `${currentAfter.toFixed(0)} ms`,
    },
  ];
}

interface Refused {
  answer: Answer | null;
  what: string;
  milliseconds: number;
}

/** Tries to create items, change items, and read what editors see, on both instances. */
async function writeInVain({ instances, editor }: ScaledSite, forMs: number): Promise<Refused[]> {
  const refused: Refused[] = [];
  const until = performance.now() + forMs;
  const attempts = [
    edit(editor, "POST", "/content", { type: "topic", title: "In vain", status: "published" }),
    edit(editor, "GET", "/content?limit=1"),
    bulk(editor),
  ];
  for (let turn = 0; performance.now() < until; turn += 1) {
    const attempt = attempts[turn % attempts.length] ?? edit(editor, "GET", "/content");
    await Promise.all(
      instances.map(async ({ origin }) => {
        const begun = performance.now();
        const [answer, what] = await ask(origin, attempt).then(
          (answer) => [answer, ""] as const,
          (error: unknown) => [null, String(error)] as const,
        );
        refused.push({ answer, what, milliseconds: performance.now() - begun });
      }),
    );
    await wait(BETWEEN_WRITES_MS);
  }
  return refused;
}

function bulk(key: string): Asked {
  return {
    method: "POST",
    path: "/api/v1/content/bulk",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson" },
    body: '{"type": "topic", "title": "In vain", "sourceKey": "vain"}\n',
  };
}

/** Milliseconds until each instance has accepted a change that the other shows. */
export async function untilCurrent({ instances, editor }: ScaledSite): Promise<number> {
  const begun = performance.now();
  const [one, other] = instances;
  await Promise.all(
    [
      { from: one, to: other },
      { from: other, to: one },
    ].map(async ({ from, to }) => {
      const title = `Current again ${from.port} ${Date.now()}`;
      for (;;) {
        const asked = edit(editor, "POST", "/content", {
          type: "topic",
          title,
          status: "published",
        });
        const answer = await ask(from.origin, asked).catch(() => null);
        if (answer?.status === 201) {
          await untilShown(to, { path: String(JSON.parse(answer.text).path), text: title });
          return;
        }
        if (performance.now() - begun > 60_000)
          throw new Error(`Still ${answer?.status}: ${answer?.text}`);
        await wait(50);
      }
    }),
  );
  return performance.now() - begun;
}
