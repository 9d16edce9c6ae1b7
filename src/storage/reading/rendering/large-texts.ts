import { hash } from "node:crypto";
import { AppError, type Wording } from "../../../errors.ts";
import type { BodyRenderOptions } from "../../../render/body/body.ts";
import type { RenderedBody } from "../../../render/body/rendered-body.ts";
import { findNoPicture, type Picture } from "../../../render/pictures.ts";
import { LimitedThread } from "../../../work/limited-thread.ts";
import type { RenderingResult, RenderingTask } from "./rendering-thread.ts";

/** Longer texts are rendered in a thread. The costliest text of this length takes about 30 ms. */
const SMALL_CHARACTERS_MAX = 8000;
/** Limit on callers waiting for the thread. A bulk load counts as one. */
const QUEUED_MAX = 32;
const OUTCOMES_MAX = 10_000;
const REFUSAL_MILLISECONDS = 60_000;
/**
 * Limit on all cached results together. A result contains the text as HTML, Markdown and plain
 * text.
 */
const KEPT_CHARACTERS_MAX = 16_000_000;
const KEPT_MILLISECONDS = 60_000;
const RETRY_SECONDS = 5;
const THREAD_FILE = new URL("./rendering-thread.ts", import.meta.url);

type RenderingThread = LimitedThread<RenderingTask, RenderingResult>;

interface CachedRendering {
  rendered: RenderedBody;
  /** The picture metadata with which the text was rendered, keyed by the path of the picture. */
  pictures: ReadonlyMap<string, Picture | null>;
}

interface Outcome {
  /** Why the text cannot be rendered; null if it can. */
  refusal: Wording | null;
  /** Time from `performance.now()`. */
  at: number;
}

/**
 * Whether the text must be rendered in a thread, so that rendering does not block the event loop.
 */
export function isLargeText(text: string): boolean {
  return text.length > SMALL_CHARACTERS_MAX;
}

/**
 * Renders large texts in a thread of the process, and caches the results until they are written.
 */
class LargeTexts {
  readonly #worker: RenderingThread;
  readonly #outcomes = new Map<string, Outcome>();
  readonly #kept = new Map<string, CachedRendering>();
  #characters = 0;
  #clearing: NodeJS.Timeout | undefined;

  constructor(worker: RenderingThread) {
    this.#worker = worker;
  }

  /** Returns null if the text was never rendered, or was refused too long ago. */
  outcome(text: string, origin: string): Outcome | null {
    const outcome = this.#outcomes.get(keyOf(text, origin)) ?? null;
    const isOld = outcome !== null && performance.now() - outcome.at > REFUSAL_MILLISECONDS;
    return isOld && outcome.refusal !== null ? null : outcome;
  }

  /**
   * Renders a text, after which {@link LargeTexts.outcome} returns its outcome.
   * @throws {AppError} `unavailable` when too many texts wait for the thread.
   */
  async prepare(text: string, options: BodyRenderOptions): Promise<void> {
    if (this.#worker.queued >= QUEUED_MAX) {
      throw new AppError(
        "unavailable",
        {
          en: "Too many long texts wait to be rendered; try again",
          de: "Gerade warten zu viele lange Texte: Versuchen Sie es gleich noch einmal",
        },
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      );
    }
    try {
      await this.render(text, options);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "invalid") throw error;
    }
  }

  /** The result of {@link LargeTexts.render}, if it is cached. */
  rendered(
    text: string,
    { origin, findPicture = findNoPicture }: BodyRenderOptions,
  ): RenderedBody | null {
    const kept = this.#kept.get(keyOf(text, origin));
    if (kept === undefined) return null;
    const isSame = [...kept.pictures].every(([path, before]) =>
      isSamePicture(before, findPicture(path)),
    );
    return isSame ? kept.rendered : null;
  }

  /** @throws {AppError} `invalid` when the text cannot be rendered; `unavailable` when the thread fails. */
  async render(text: string, options: BodyRenderOptions): Promise<RenderedBody> {
    const { origin, findPicture = findNoPicture } = options;
    const key = keyOf(text, origin);
    const pictures = new Map<string, Picture | null>();
    for (;;) {
      const response = await this.#worker.run({ body: text, origin, pictures });
      if ("bug" in response) throw response.bug;
      if ("refusal" in response) {
        this.#note(key, response.refusal);
        throw new AppError("invalid", response.refusal);
      }
      const found = response.missing.map((path) => [path, findPicture(path)] as const);
      for (const [path, picture] of found) pictures.set(path, picture);
      if (found.some(([, picture]) => picture !== null)) continue;
      this.#note(key, null);
      this.#keep(key, { rendered: response.rendered, pictures });
      return response.rendered;
    }
  }

  #note(key: string, refusal: Wording | null): void {
    if (this.#outcomes.size >= OUTCOMES_MAX) this.#outcomes.clear();
    this.#outcomes.set(key, { refusal, at: performance.now() });
  }

  #keep(key: string, kept: CachedRendering): void {
    this.#drop(key);
    this.#kept.set(key, kept);
    this.#characters += charactersOf(kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= KEPT_CHARACTERS_MAX) break;
      this.#drop(oldest);
    }
    clearTimeout(this.#clearing);
    this.#clearing = setTimeout(() => {
      this.#kept.clear();
      this.#characters = 0;
    }, KEPT_MILLISECONDS).unref();
  }

  #drop(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#characters -= charactersOf(kept);
  }
}

function keyOf(text: string, origin: string): string {
  return hash("sha256", `${origin}\n${text}`, "base64url");
}

function charactersOf({ rendered: { html, markdown, text } }: CachedRendering): number {
  return html.length + markdown.length + text.length;
}

function isSamePicture(one: Picture | null, other: Picture | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** One instance per process, shared by all its stores. */
export const largeTextRenderer = new LargeTexts(
  new LimitedThread({ program: THREAD_FILE, verb: "render" }),
);
