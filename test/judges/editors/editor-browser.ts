import type { BrowserContext, Page } from "playwright-core";
import { until } from "../../support/until.ts";
import { linesOf, type Slots, textOf } from "../drafts/model.ts";
import type { EditorsSite, Requests } from "./site.ts";

const AUTOSAVED_MS = 1100;
const EDIT = 'form[action$="/edit"] button';
const IS_SAVING = `(document.querySelector("[data-state]")?.textContent ?? "").startsWith("Saving")`;
/** Number of autosaves that the page would send if it were closed now. */
const WOULD_SEND = `(() => {
  let sent = 0;
  const send = navigator.sendBeacon;
  navigator.sendBeacon = (path) => {
    if (path.endsWith("/autosave")) sent += 1;
    return true;
  };
  dispatchEvent(new PageTransitionEvent("pagehide"));
  navigator.sendBeacon = send;
  return sent;
})()`;

/** What an editor sees. */
export interface Screen {
  /** The values of the form; null: the screen is not the editor. */
  slots: Slots | null;
  /** All readable text, including the values of controls. */
  text: string;
  /** Whether the screen says that something is not saved. */
  isWarning: boolean;
  /** Whether it says that someone else was faster. */
  isConflict: boolean;
  /** Whether it asks which side to keep. */
  isChoosing: boolean;
  mayPublish: boolean;
  /** The fault that it states. */
  fault: string;
  draftId: string | null;
}

/** One of the two browsers, on an item of the story. */
export class EditorBrowser {
  readonly #context: BrowserContext;
  readonly #origin: string;
  readonly #requests: Requests;
  readonly #itemId: string;
  #page: Page | null = null;
  /** The editor's address, which is opened again after closing. */
  #address = "";

  constructor(
    context: BrowserContext,
    { origin, requests }: Pick<EditorsSite, "origin" | "requests">,
    itemId: string,
  ) {
    this.#context = context;
    this.#origin = origin;
    this.#requests = requests;
    this.#itemId = itemId;
  }

  async look(): Promise<Screen> {
    const page = await this.#opened();
    const { values, text, state, fault, isChoosing, mayPublish } =
      await page.evaluate<Shown>(SHOWN);
    const hasFault = fault !== "";
    const [title, summary, body] = values;
    const isEditor =
      title !== null && summary !== null && body !== null && /drafts/.test(page.url());
    return {
      slots: isEditor
        ? { title: title ?? "", summary: summary ?? "", body: linesOf(body ?? "") }
        : null,
      text,
      isWarning: hasFault || /Someone else|No connection|session has ended/.test(state),
      isConflict: hasFault || /Someone else/.test(state),
      isChoosing,
      mayPublish,
      fault: fault || state,
      draftId: /drafts\/([^/]+)/.exec(page.url())?.[1] ?? null,
    };
  }

  isOpen(): boolean {
    return this.#page !== null;
  }

  /** Opens the item's draft, or continues with the one that is open. */
  async edit(): Promise<void> {
    const page = await this.#opened();
    if ((await this.look()).slots !== null) return;
    // Continues from what the screen shows, even if it is outdated.
    if (!(await this.press(EDIT))) {
      await this.goTo(`/admin/content/${this.#itemId}`);
      await this.press(EDIT);
    }
    this.#address = page.url();
  }

  async type(part: "title" | "summary", text: string): Promise<void> {
    await (await this.#opened()).fill(`#${part}`, text);
  }

  async typeLine(at: number, text: string): Promise<void> {
    const page = await this.#opened();
    const lines = linesOf(await page.inputValue("#body"));
    await page.fill("#body", textOf(lines.with(at, text)));
  }

  /** Waits for the pause after typing, until the answer is shown. */
  async pause(): Promise<void> {
    await this.#beginAutosave();
    await this.#settle();
  }

  /** Autosaves, but the answer never arrives. */
  async loseAnswer(): Promise<void> {
    const answers = await this.#holdAnswers();
    if (await this.#beginAutosave()) await answers.lose();
    await answers.release();
    await this.#settle();
  }

  /** Continues typing and presses a button while an autosave waits for its answer. */
  async hurry(typeOn: () => Promise<void>, button: string): Promise<void> {
    const answers = await this.#holdAnswers();
    if (await this.#beginAutosave()) await answers.held();
    await typeOn();
    await this.#leaveBy(button, () => answers.release());
  }

  /** Closes the tab. Unsaved text never reaches the server. */
  async closeUnsent(): Promise<void> {
    await this.#page?.evaluate("navigator.sendBeacon = () => false; null");
    await this.#page?.close();
    this.#page = null;
  }

  /** Closes the tab, which sends unsaved text. */
  async close(): Promise<void> {
    if (this.#page === null) return;
    const expected = this.#requests.autosaves() + (await this.#page.evaluate<number>(WOULD_SEND));
    await this.#page.close();
    this.#page = null;
    await until(() => this.#requests.autosaves() >= expected);
    await this.#requests.answered();
  }

  async press(button: string): Promise<boolean> {
    const page = await this.#opened();
    if ((await page.locator(button).count()) === 0) return false;
    await this.#leaveBy(button, async () => {});
    return true;
  }

  async reload(): Promise<void> {
    await this.close();
    await this.look();
  }

  async goTo(path: string): Promise<void> {
    await (await this.#opened()).goto(this.#origin + path);
    await this.#settle();
  }

  /** @returns how many there are. */
  async check(choice: string): Promise<number> {
    const choices = await (await this.#opened()).locator(choice).all();
    for (const each of choices) await each.check();
    return choices.length;
  }

  async #leaveBy(button: string, meanwhile: () => Promise<void>): Promise<void> {
    const page = await this.#opened();
    const gone = page.waitForNavigation();
    await page.locator(button).first().click({ noWaitAfter: true });
    await meanwhile();
    await gone;
    await this.#settle();
  }

  /** @returns whether there was anything to save. */
  async #beginAutosave(): Promise<boolean> {
    const page = await this.#opened();
    return await page.evaluate<boolean>(`letPass(${AUTOSAVED_MS}), ${IS_SAVING}`);
  }

  /** Waits until the page has received the answers to everything that it sends by itself. */
  async #settle(): Promise<void> {
    const page = await this.#opened();
    // Text typed earlier is saved right after opening, by a timer with delay 0.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 1))");
    await until(async () => {
      if (!(await page.evaluate<boolean>(IS_SAVING))) return true;
      await this.#requests.answered();
      // Text typed since an answer was lost is saved after another pause.
      await page.evaluate(`letPass(${AUTOSAVED_MS})`);
      return false;
    });
    await this.#requests.answered();
  }

  async #opened(): Promise<Page> {
    if (this.#page !== null) return this.#page;
    // Reuses the tab of the previous story, because a new one is a new process.
    const page = this.#context.pages()[0] ?? (await this.#context.newPage());
    this.#page = page;
    await page.goto(this.#address || `${this.#origin}/admin/content/${this.#itemId}`);
    await this.#settle();
    return page;
  }

  /** Holds back the answers to autosaves that the server has made. */
  async #holdAnswers(): Promise<HeldAnswers> {
    const devtools = await this.#context.newCDPSession(await this.#opened());
    const requestId = new Promise<string>((resolve) => {
      devtools.once("Fetch.requestPaused", (paused) => resolve(paused.requestId));
    });
    const patterns = [{ urlPattern: "*/autosave", requestStage: "Response" as const }];
    await devtools.send("Fetch.enable", { patterns });
    return {
      held: () => requestId,
      lose: async () => {
        const reset = { requestId: await requestId, errorReason: "ConnectionReset" as const };
        await devtools.send("Fetch.failRequest", reset);
      },
      release: () => devtools.detach(),
    };
  }
}

interface HeldAnswers {
  /** Waits for the first answer. */
  held(): Promise<unknown>;
  /** Drops the first answer. */
  lose(): Promise<void>;
  /** Lets all other answers through. */
  release(): Promise<void>;
}

interface Shown {
  values: readonly (string | null)[];
  text: string;
  state: string;
  fault: string;
  isChoosing: boolean;
  mayPublish: boolean;
}

const SHOWN = `(() => {
  const value = (id) => document.getElementById(id)?.value ?? null;
  const controls = [...document.querySelectorAll("input, textarea")].map((each) => each.value);
  return {
    values: [value("title"), value("summary"), value("body")],
    text: [document.body.innerText, ...controls].join("\\n"),
    state: document.querySelector("[data-state]")?.textContent ?? "",
    fault: document.querySelector(".fault")?.textContent ?? "",
    isChoosing: document.querySelector('[name^="take."], form[action$="/settle"]') !== null,
    mayPublish: document.querySelector('form[action^="/admin/drafts"][action$="/publish"] button') !== null,
  };
})()`;
