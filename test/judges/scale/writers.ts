import { Agent } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { type Answer, type Asked, ask, edit } from "./asking.ts";
import { Chronicle } from "./chronicle.ts";
import type { Instance } from "./instance.ts";
import type { ScaledSite } from "./site.ts";

const WRITERS_AN_INSTANCE = 2;
/** Items that are written in one transaction, all or none. */
export const GROUP_SIZE = 4;
const PAUSE_MS = 25;
const OF_A_KIND = 3;

/** Writers who never stop, whatever is killed, and remember what was acknowledged. */
export class Writers implements AsyncDisposable {
  /**
   * By source key of a single item or of the first item of a group, and by title of items that are only
   * created.
   */
  readonly chronicle = new Chronicle();
  readonly #agent = new Agent({ keepAlive: true });
  readonly #editor: string;
  readonly #writing: Promise<void>[];
  readonly #unforeseen = new Set<string>();
  #isOver = false;

  constructor({ instances, editor }: ScaledSite) {
    this.#editor = editor;
    this.#writing = instances.flatMap((instance) =>
      Array.from({ length: WRITERS_AN_INSTANCE }, (_, at) =>
        this.#write(instance, `${instance.port}-${at}`),
      ),
    );
  }

  /** Answers that no outage explains, above all those with status 500. */
  get unforeseen(): readonly string[] {
    return [...this.#unforeseen];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#writing);
    this.#agent.destroy();
  }

  async #write(instance: Instance, name: string): Promise<void> {
    for (let turn = 0; !this.#isOver; turn += 1) {
      const item = `${name}-${Math.floor(turn / OF_A_KIND) % OF_A_KIND}`;
      if (turn % OF_A_KIND === 0) await this.#create(instance, `New ${name} ${turn}`);
      else if (turn % OF_A_KIND === 1) await this.#save(instance, `single:${item}`, [""]);
      else await this.#save(instance, `group:${item}`, ["", ":b", ":c", ":d"]);
    }
  }

  async #create(instance: Instance, title: string): Promise<void> {
    const state = this.chronicle.ask(title);
    const asked = edit(this.#editor, "POST", "/content", {
      type: "topic",
      title,
      summary: `State ${state}`,
      status: "published",
    });
    if ((await this.#ask(instance, asked))?.status === 201)
      this.chronicle.acknowledge(title, state);
  }

  /** Saves one item or a group by source key. Every second state is a draft. */
  async #save(instance: Instance, sourceKey: string, ends: readonly string[]): Promise<void> {
    const state = this.chronicle.ask(sourceKey);
    const lines = ends.map((end) =>
      JSON.stringify({
        type: "topic",
        title: `Item ${sourceKey}${end}`,
        sourceKey: `${sourceKey}${end}`,
        summary: `State ${state}`,
        body: `As it was after ${state} changes.`,
        relations: {
          see_also: ends.filter((other) => other !== end).map((to) => `${sourceKey}${to}`),
        },
        status: state % 2 === 0 ? "draft" : "published",
      }),
    );
    const answer = await this.#ask(instance, {
      method: "POST",
      // The items of a group refer to each other and are withdrawn together.
      path: "/api/v1/content/bulk?mode=all-or-nothing&references=keep",
      headers: {
        authorization: `Bearer ${this.#editor}`,
        "content-type": "application/x-ndjson",
      },
      body: `${lines.join("\n")}\n`,
    });
    if (answer?.status !== 200) return;
    if (answer.text.includes('"failed":0')) this.chronicle.acknowledge(sourceKey, state);
    else this.#unforeseen.add(answer.text.slice(0, 200));
  }

  /** Null: no answer came. */
  async #ask(instance: Instance, asked: Asked): Promise<Answer | null> {
    const answer = await ask(instance.origin, { ...asked, agent: this.#agent }).catch(() => null);
    const isForeseen = answer === null || answer.status < 300 || answer.status === 503;
    if (!isForeseen) this.#unforeseen.add(`${answer.status} ${answer.text.slice(0, 200)}`);
    if (answer === null || answer.status === 503) await wait(PAUSE_MS);
    return answer;
  }
}
