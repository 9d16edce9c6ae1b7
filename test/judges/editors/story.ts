import type { Slots } from "../drafts/model.ts";
import { EditorBrowser, type Screen } from "./editor-browser.ts";
import type { EditorsSite, ItemState } from "./site.ts";

const STEPS = 24;
const LINES = 3;
const PLACES = ["title", "summary", 0, 1, 2] as const;
const SAVE = '.bar button[value="stay"]';
const PUBLISH = '.bar button[value="publish"]';
const PUBLISH_NOW = 'form[action^="/admin/drafts"][action$="/publish"] button';

type Place = (typeof PLACES)[number];
type Who = 0 | 1;

export interface Sums {
  steps: number;
  typed: number;
  conflicts: number;
  lost: string[];
  overwritten: string[];
  alarms: string[];
}

interface Editor {
  browser: EditorBrowser;
  /** All texts that have been on this screen. */
  seen: Set<string>;
  /** Texts that were typed and are not in the record yet. */
  unsaved: Map<Place, string>;
  /** Places that a screen has said are not saved. */
  warnedOf: Set<string>;
  /** Places changed by the other browser and not shown on this screen since. */
  changedByOther: Set<Place>;
  /** The other browser ended this screen's draft, or changed the item itself. */
  isOvertaken: boolean;
}

/**
 * Two browsers work on one item in random order. After each step the record is compared with its previous
 * state. Only someone who has seen a text may remove it, and typed text must be in the record or on a screen
 * that says it is not.
 */
export async function tellStory(
  site: EditorsSite,
  { seed, next }: { seed: number; next: () => number },
  sums: Sums,
): Promise<void> {
  const story = new Story(site, seed, next, sums);
  await story.begin();
  for (let step = 0; step < STEPS; step += 1) await story.step();
  await story.end();
}

class Story {
  readonly #site: EditorsSite;
  readonly #seed: number;
  readonly #next: () => number;
  readonly #sums: Sums;
  #editors: readonly [Editor, Editor] | null = null;
  #itemId = "";
  #tokens = 0;
  #known: string[] = [];
  #steps: string[] = [];

  constructor(site: EditorsSite, seed: number, next: () => number, sums: Sums) {
    this.#site = site;
    this.#seed = seed;
    this.#next = next;
    this.#sums = sums;
  }

  async begin(): Promise<void> {
    const body = Array.from({ length: LINES }, () => this.#token());
    this.#itemId = await this.#site.publish({ title: this.#token(), summary: this.#token(), body });
    const editor = (who: Who): Editor => ({
      browser: new EditorBrowser(this.#site.contexts[who], this.#site, this.#itemId),
      seen: new Set(),
      unsaved: new Map(),
      warnedOf: new Set(),
      changedByOther: new Set(),
      isOvertaken: false,
    });
    this.#editors = [editor(0), editor(1)];
  }

  async step(): Promise<void> {
    this.#sums.steps += 1;
    const who = this.#next() % 2 === 0 ? 0 : 1;
    const { browser } = this.#editor(who);
    // Text kept in the browser is saved when the tab opens again.
    if (!browser.isOpen()) await this.#perform(who, "opens", () => browser.look());
    const screen = await this.#see(who);
    const [name, action] = this.#actionOn(screen, who);
    await this.#perform(who, name, action);
  }

  /** Both reopen what they had open. Nothing may be missing. */
  async end(): Promise<void> {
    for (const who of [0, 1] as const) {
      const { browser } = this.#editor(who);
      await this.#perform(who, "comes back", async () => {
        await browser.close();
        await browser.look();
        await browser.pause();
      });
      await this.#see(who);
      this.#requireWarned(who);
    }
  }

  #actionOn(screen: Screen, who: Who): [string, () => Promise<unknown>] {
    const { browser } = this.#editor(who);
    const chance = this.#next() % 100;
    if (screen.slots === null) {
      if (screen.isChoosing) return ["settles", () => this.#settle(who)];
      if (screen.mayPublish && chance < 70) {
        return ["publishes", () => browser.press(PUBLISH_NOW)];
      }
      return ["edits", () => this.#edit(who)];
    }
    if (screen.isChoosing && chance < 80) return ["chooses", () => this.#choose(who)];
    const actions: readonly (readonly [share: number, string, () => Promise<unknown>])[] = [
      [26, "types", () => this.#type(who)],
      [50, "pauses", () => browser.pause()],
      [58, "saves", () => browser.press(SAVE)],
      [66, "goes to publish", () => browser.press(PUBLISH)],
      [72, "reopens", () => browser.reload()],
      [78, "loses an answer", () => browser.loseAnswer()],
      [84, "types on while saving", () => this.#hurry(who)],
      [89, "closes without a connection", () => browser.closeUnsent()],
      [92, "discards", () => this.#discard(who)],
      [95, "restores a version", () => this.#restore(who)],
      [98, "withdraws", () => this.#withdraw(who)],
    ];
    const [, name, action] = actions.find(([share]) => chance < share) ?? [
      100,
      "looks",
      () => browser.look(),
    ];
    return [name, action];
  }

  /** Compares the record before and after a step. */
  async #perform(who: Who, name: string, action: () => Promise<unknown>): Promise<void> {
    const editor = this.#editor(who);
    this.#steps.push(`${"AB"[who]} ${name}`);
    const before = await this.#site.stateOf(this.#itemId);
    await action();
    await this.#site.requests.answered();
    const after = await this.#site.stateOf(this.#itemId);
    const changed = PLACES.filter((place) => at(before, place) !== at(after, place));
    if (name !== "restores a version") {
      for (const place of changed.filter((place) => !editor.seen.has(at(before, place)))) {
        this.#fault("overwritten", who, `${place} "${at(before, place)}"`);
      }
    }
    this.#noteSaved(editor, after);
    noteForOther(this.#editor(who === 0 ? 1 : 0), { before, after, changed });
    if (editor.browser.isOpen()) this.#judgeScreen(who, await this.#see(who), after);
  }

  #noteSaved({ unsaved }: Editor, state: ItemState): void {
    for (const [place, text] of unsaved) if (at(state, place) === text) unsaved.delete(place);
  }

  #judgeScreen(who: Who, screen: Screen, after: ItemState): void {
    const editor = this.#editor(who);
    if (screen.isConflict) {
      this.#sums.conflicts += 1;
      const hasEnded = screen.draftId !== null && screen.draftId !== after.draftId;
      const isTrue = hasEnded || editor.isOvertaken || editor.changedByOther.size > 0;
      if (!isTrue) this.#fault("alarms", who, screen.fault);
      return;
    }
    if (screen.slots === null || screen.draftId !== after.draftId) return;
    const shown = { slots: screen.slots };
    for (const place of editor.changedByOther) {
      if (at(shown, place) === at(after, place)) editor.changedByOther.delete(place);
    }
    if (editor.unsaved.size === 0 && !screen.isChoosing) editor.isOvertaken = false;
  }

  async #see(who: Who): Promise<Screen> {
    const { browser, seen, unsaved, warnedOf } = this.#editor(who);
    const screen = await browser.look();
    for (const text of this.#known) if (screen.text.includes(text)) seen.add(text);
    for (const text of unsaved.values()) {
      if (screen.isWarning && screen.text.includes(text)) warnedOf.add(text);
    }
    return screen;
  }

  /** Typed text that is not in the record must have been on a screen with a warning. */
  #requireWarned(who: Who): void {
    const { unsaved, warnedOf } = this.#editor(who);
    for (const [place, text] of unsaved) {
      if (warnedOf.has(text)) continue;
      this.#fault("lost", who, `${place} "${text}"`);
    }
    unsaved.clear();
  }

  async #edit(who: Who): Promise<void> {
    const editor = this.#editor(who);
    await editor.browser.edit();
    await this.#pause(who);
    // Text typed into this draft earlier comes back with it.
    this.#noteSaved(editor, await this.#site.stateOf(this.#itemId));
    this.#requireWarned(who);
  }

  async #type(who: Who): Promise<void> {
    const place = PLACES[this.#next() % PLACES.length] ?? "title";
    const text = this.#token();
    const { browser, unsaved, seen } = this.#editor(who);
    this.#steps.push(`(${place} ${text})`);
    this.#sums.typed += 1;
    if (typeof place === "number") await browser.typeLine(place, text);
    else await browser.type(place, text);
    unsaved.set(place, text);
    seen.add(text);
  }

  async #hurry(who: Who): Promise<void> {
    await this.#type(who);
    await this.#editor(who).browser.hurry(() => this.#type(who), SAVE);
  }

  async #choose(who: Who): Promise<void> {
    const { browser, unsaved } = this.#editor(who);
    const side = this.#next() % 2 === 0 ? "mine" : "theirs";
    this.#steps.push(`(${side})`);
    await browser.check(`[name^="take."][value="${side}"]`);
    await browser.press(SAVE);
    // Choosing the other side discards one's own text on purpose.
    if (side === "theirs" && !(await this.#see(who)).isConflict) unsaved.clear();
  }

  async #settle(who: Who): Promise<void> {
    const { browser } = this.#editor(who);
    if (this.#next() % 2 === 0) await browser.check("[name=theirs]");
    await browser.press('form[action$="/settle"] button');
  }

  async #discard(who: Who): Promise<void> {
    const { browser, unsaved } = this.#editor(who);
    const { draftId } = await browser.look();
    await browser.press('form[action$="/discard"] button');
    // The draft was not deleted, so typed text is not discarded either.
    if ((await this.#site.stateOf(this.#itemId)).draftId === draftId) return;
    unsaved.clear();
  }

  /** Waits before leaving the editor, which warns of what it could not save. */
  async #pause(who: Who): Promise<void> {
    await this.#editor(who).browser.pause();
    await this.#see(who);
  }

  async #restore(who: Who): Promise<void> {
    const { browser } = this.#editor(who);
    await this.#pause(who);
    await browser.goTo(`/admin/content/${this.#itemId}`);
    await browser.press('form[action$="/restore"] button');
  }

  async #withdraw(who: Who): Promise<void> {
    const { browser } = this.#editor(who);
    await this.#pause(who);
    await browser.goTo(`/admin/content/${this.#itemId}/withdraw`);
    // A draft could only be deleted.
    if ((await browser.check("input[name=how][value=draft]")) === 0) return;
    await browser.press('form[action$="/withdraw"] button');
  }

  #fault(kind: "lost" | "overwritten" | "alarms", who: Who, what: string): void {
    const told = this.#steps.slice(-12).join(", ");
    const fault = `seed ${this.#seed}, ${"AB"[who]}: ${what} after ${told}`;
    console.error(`${kind}: ${fault}`);
    this.#sums[kind].push(fault);
  }

  #editor(who: Who): Editor {
    if (this.#editors === null) throw new Error("The story has not begun");
    return this.#editors[who];
  }

  #token(): string {
    this.#tokens += 1;
    const text = `w${this.#seed}x${this.#tokens}w`;
    this.#known.push(text);
    return text;
  }
}

function at({ slots }: { slots: Slots }, place: Place): string {
  return typeof place === "number" ? (slots.body[place] ?? "") : slots[place];
}

function noteForOther(
  other: Editor,
  { before, after, changed }: { before: ItemState; after: ItemState; changed: readonly Place[] },
): void {
  for (const place of changed) other.changedByOther.add(place);
  const isSameItem = before.revision === after.revision && before.status === after.status;
  if (before.draftId !== after.draftId || !isSameItem) other.isOvertaken = true;
}
