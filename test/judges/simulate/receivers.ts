import { currentProcess, type SimulatedProcess, type World } from "./world.ts";

const ANSWER_MILLISECONDS_MAX = 400;

interface Attempt {
  kind: "mail" | "webhook";
  id: string;
}

interface MailToSend {
  id: string;
  text: string;
}

interface Post {
  url: string;
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** Mail servers and webhook receivers: everything that arrived, and which answers were lost. */
export class Receivers {
  readonly mails: { id: string; at: number; text: string }[] = [];
  readonly posts: { id: string; at: number; url: string; body: string }[] = [];
  /** Percentage of attempts that fail, half of them after the message has arrived. */
  faults = 0;
  /** Called when an attempt begins. */
  onAttempt: (attempt: Attempt) => void = () => {};
  /** Called when a message is sent again while it is still being sent. */
  onOverlap: (attempt: Attempt, since: number) => void = () => {};
  readonly #underway = new Map<string, { process: SimulatedProcess | null; since: number }>();
  readonly #world: World;

  constructor(world: World) {
    this.#world = world;
  }

  readonly mail = async (mail: MailToSend): Promise<{ fault: string; isFinal: boolean } | null> => {
    const { id, text } = mail;
    const attempt = { kind: "mail", id } as const;
    const isHeard = await this.#exchange(attempt, () =>
      this.mails.push({ id, text, at: this.#world.now }),
    );
    return isHeard ? null : { fault: "the mail server does not answer", isFinal: false };
  };

  readonly webhook = async (post: Post): Promise<{ status: number; retryAfter: undefined }> => {
    const { url, body, headers } = post;
    const id = headers["webhook-id"] ?? "";
    const attempt = { kind: "webhook", id } as const;
    const at = this.#world.now;
    const isHeard = await this.#exchange(attempt, () => this.posts.push({ id, url, body, at }));
    return { status: isHeard ? 200 : 503, retryAfter: undefined };
  };

  /** @returns whether the sender gets an answer. */
  async #exchange(attempt: Attempt, arrive: () => void): Promise<boolean> {
    this.#begin(attempt);
    const wait = () =>
      new Promise((resolve) => setTimeout(resolve, this.#world.random() * ANSWER_MILLISECONDS_MAX));
    await wait();
    const fails = this.#world.roll(100) < this.faults;
    const isLost = this.#world.roll(2) === 0;
    if (!fails || isLost) arrive();
    await wait();
    this.#underway.delete(attempt.id);
    return !fails;
  }

  #begin(attempt: Attempt): void {
    const other = this.#underway.get(attempt.id);
    if (other?.process?.isAlive) this.onOverlap(attempt, other.since);
    this.#underway.set(attempt.id, { process: currentProcess(), since: this.#world.now });
    this.onAttempt(attempt);
  }
}
