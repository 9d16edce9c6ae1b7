import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";

/** Data for the thread of the editors. */
export interface EditorsData {
  origin: string;
  key: string;
  editors: number;
  seconds: number;
  /** Words from texts, and names. */
  texts: readonly string[];
  names: readonly string[];
}

/** Milliseconds of every answer. */
export interface EditorsTimes {
  searches: number[];
  picks: number[];
  /** Statuses of the answers that were not successful. */
  failures: number[];
}

const NAME_BEGINNINGS = [2, 4, 7];
/** In reality, the browsers of editors run elsewhere and take no CPU time from the measured pages. */
const PRIORITY = 10;

if (process.platform === "linux") setPriority(PRIORITY);

const { origin, key, editors, seconds, texts, names }: EditorsData = workerData;
const end = performance.now() + seconds * 1000;
const times: EditorsTimes = { searches: [], picks: [], failures: [] };
await Promise.all(Array.from({ length: editors }, (_, editor) => edit(editor)));
parentPort?.postMessage(times);

/** Searches, then completes a name while it is typed, once with a typo, without pauses. */
async function edit(editor: number): Promise<void> {
  for (let turn = editor; performance.now() < end; turn += editors) {
    const text = texts[turn % texts.length] ?? "";
    await ask(`/content?limit=20&text=${encodeURIComponent(text)}`, times.searches);
    const name = names[turn % names.length] ?? "";
    const typed = NAME_BEGINNINGS.map((length) => name.slice(0, length));
    const slip = name.slice(0, 3) + name.slice(4);
    for (const q of [...typed, slip]) {
      await ask(`/content/names?q=${encodeURIComponent(q)}&type=topic,work`, times.picks);
    }
  }
}

async function ask(path: string, into: number[]): Promise<void> {
  const start = performance.now();
  const answer = await fetch(`${origin}/api/v1${path}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  await answer.arrayBuffer();
  into.push(performance.now() - start);
  if (answer.status !== 200) times.failures.push(answer.status);
}
