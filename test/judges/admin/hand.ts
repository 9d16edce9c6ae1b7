import type { Locator, Page } from "playwright-core";

export const WAYS = ["mouse", "no scripts", "touch", "keyboard"] as const;

/** A way in which a person uses the screens. */
export type Way = (typeof WAYS)[number];

const FOCUS_STEPS_MAX = 400;

/** The part of a DOM element that the code below needs. */
interface Focusable {
  type?: string;
  name?: string;
  form?: object | null;
  ownerDocument: { activeElement: Focusable | null };
  closest(selector: string): { contains(other: Focusable | null): boolean } | null;
}

/** The key that moves the focus towards an element; empty: the element has the focus. Runs in the browser. */
function nextKey(element: Focusable): string {
  const active = element.ownerDocument.activeElement;
  if (active === element) return "";
  const isNeighbour = active?.name === element.name && active?.form === element.form;
  if (element.type === "radio" && isNeighbour) return "ArrowDown";
  return element.closest("markdown-toolbar")?.contains(active) ? "ArrowRight" : "Tab";
}

/**
 * A person's hand that counts its actions: a press, a run of typing with the Enter that ends it, or a chord.
 * Moving the pointer, or moving the focus by Tab and the arrow keys, does not count. A press into a field
 * before typing does.
 */
export class Hand {
  readonly page: Page;
  readonly way: Way;
  actions = 0;

  constructor(page: Page, way: Way) {
    this.page = page;
    this.way = way;
  }

  async press(target: Locator): Promise<void> {
    this.actions += 1;
    await target.waitFor();
    if (this.way === "keyboard") await this.#pressByKey(target);
    else if (this.way === "touch") await target.tap();
    else await target.click();
  }

  /** Presses twice in a row, as an unsure hand does; the keyboard presses once. */
  async pressTwice(target: Locator): Promise<void> {
    if (this.way === "keyboard" || this.way === "no scripts") return await this.press(target);
    this.actions += 1;
    await target.waitFor();
    if (this.way === "mouse") return await target.dblclick();
    const box = await target.boundingBox();
    if (box === null) throw new Error("The button has no place on the screen");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (const _ of ["first", "second"]) await this.page.touchscreen.tap(x, y);
  }

  /** Replaces the value of a field. */
  async type(target: Locator, text: string): Promise<void> {
    await this.#enterField(target);
    this.actions += 1;
    await target.fill(text);
  }

  /** Replaces the value of a field and presses Enter. */
  async typeAndEnter(target: Locator, text: string): Promise<void> {
    await this.type(target, text);
    await target.press("Enter");
  }

  /** Chooses a file of the machine. */
  async chooseFile(field: Locator, { name, text }: { name: string; text: string }): Promise<void> {
    this.actions += 1;
    const file = { name, mimeType: "application/octet-stream", buffer: Buffer.from(text) };
    await field.setInputFiles(file);
  }

  /** Opens a screen with the navigation, which is behind a button on phones. */
  async goTo(label: string): Promise<void> {
    const link = this.page.locator("nav").getByRole("link", { name: label, exact: true });
    const menu = this.page.locator("button.menu");
    if (await menu.isVisible()) await this.press(menu);
    await this.press(link);
  }

  async find(text: string): Promise<void> {
    await this.typeAndEnter(this.page.locator("#find"), text);
    await this.page.waitForURL("**/admin/find?**");
  }

  async #enterField(target: Locator): Promise<void> {
    await target.waitFor();
    if ((await target.evaluate(nextKey)) === "") return;
    if (this.way === "keyboard") return await this.#focus(target);
    await this.press(target);
  }

  async #pressByKey(target: Locator): Promise<void> {
    await this.#focus(target);
    const kind = await target.evaluate(({ type }: Focusable) => type);
    if (kind === "radio" && (await target.isChecked())) return;
    const isBox = kind === "radio" || kind === "checkbox";
    await this.page.keyboard.press(isBox ? "Space" : "Enter");
  }

  async #focus(target: Locator): Promise<void> {
    for (let step = 0; step < FOCUS_STEPS_MAX; step += 1) {
      const key = await target.evaluate(nextKey);
      if (key === "") return;
      await this.page.keyboard.press(key);
    }
    throw new Error(`The keyboard does not reach ${target}`);
  }
}
