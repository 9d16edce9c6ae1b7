import { faultOf } from "./faults.ts";
import { type Medium, upload } from "./uploading.ts";

/**
 * Inserts pictures into a text. They are chosen from the site's files, uploaded, dropped or pasted.
 * Asks for the alternative text on insertion, and stores it with the picture if it had none. People who
 * may not change files choose among those that are there, and the text has the alternative text alone.
 */

const DEBOUNCE_MS = 150;

function offerPictures(button: HTMLButtonElement, area: HTMLTextAreaElement): void {
  const dialog = new PictureDialog(button, area);
  button.hidden = false;
  button.addEventListener("click", () => void dialog.open());
  if (!mayUpload(area)) return;
  area.addEventListener("dragover", (event) => event.preventDefault());
  area.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (file === undefined) return;
    event.preventDefault();
    void dialog.take(file);
  });
  area.addEventListener("paste", (event) => {
    const [file] = event.clipboardData?.files ?? [];
    // The clipboard of a word processor has both a text and a picture of it; the text is pasted.
    if (file === undefined || event.clipboardData?.getData("text/plain") !== "") return;
    event.preventDefault();
    void dialog.take(file);
  });
}

function mayUpload({ form }: HTMLTextAreaElement): boolean {
  return form?.dataset["uploads"] !== undefined;
}

class PictureDialog {
  readonly #texts: DOMStringMap;
  readonly #area: HTMLTextAreaElement;
  readonly #dialog = document.createElement("dialog");
  readonly #search = document.createElement("input");
  readonly #file = document.createElement("input");
  readonly #grid = document.createElement("div");
  readonly #describeForm = document.createElement("form");
  readonly #image = document.createElement("img");
  readonly #altField = document.createElement("textarea");
  readonly #decorative = document.createElement("input");
  readonly #caption = document.createElement("input");
  readonly #state = document.createElement("p");
  #chosen: Medium | null = null;
  /** Whether the alternative text could not be stored; the next try inserts the picture without. */
  #isRefused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #requestCount = 0;

  constructor(button: HTMLButtonElement, area: HTMLTextAreaElement) {
    this.#texts = button.dataset;
    this.#area = area;
    this.#build();
    document.body.append(this.#dialog);
  }

  async open(): Promise<void> {
    this.#showList();
    this.#dialog.showModal();
    // On a touch screen, focus in the search box would open a keyboard that covers the pictures.
    const isTouched = matchMedia("(pointer: coarse)").matches;
    (isTouched && mayUpload(this.#area) ? this.#file : this.#search).focus();
    await this.#fetchPictures();
  }

  /** Uploads a file and asks for its alternative text. */
  async take(file: File): Promise<void> {
    this.#showList();
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#state.textContent = this.#text("uploading").replace("{name}", file.name);
    const result = await upload(this.#area.form, file);
    if ("fault" in result) {
      this.#state.textContent = this.#text("failed")
        .replace("{name}", file.name)
        .replace("{fault}", result.fault);
      return;
    }
    this.#state.textContent = "";
    this.#choose(result);
  }

  #build(): void {
    const [dialog, search, file] = [this.#dialog, this.#search, this.#file];
    dialog.className = "pictures";
    const heading = document.createElement("h2");
    heading.id = `pictures-${this.#area.id}`;
    heading.textContent = this.#text("title");
    dialog.setAttribute("aria-labelledby", heading.id);
    const close = quietButton(this.#text("close"));
    close.addEventListener("click", () => dialog.close());
    const head = document.createElement("div");
    head.className = "head";
    head.append(heading, close);
    search.type = "search";
    search.setAttribute("aria-label", this.#text("search"));
    search.placeholder = this.#text("search");
    search.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#fetchPictures(), DEBOUNCE_MS);
    });
    file.type = "file";
    file.accept = "image/*";
    file.setAttribute("aria-label", this.#text("choose"));
    file.addEventListener("change", () => {
      const [chosen] = file.files ?? [];
      if (chosen !== undefined) void this.take(chosen);
      file.value = "";
    });
    this.#grid.className = "media";
    this.#state.setAttribute("role", "status");
    this.#state.className = "state";
    this.#buildDescribeForm();
    const controls = mayUpload(this.#area) ? [file, search] : [search];
    dialog.append(head, this.#state, ...controls, this.#grid, this.#describeForm);
  }

  #buildDescribeForm(): void {
    const [form, altField, decorative] = [this.#describeForm, this.#altField, this.#decorative];
    const label = document.createElement("label");
    label.textContent = this.#text("words");
    altField.rows = 2;
    altField.maxLength = 500;
    label.append(altField);
    const choice = document.createElement("label");
    choice.className = "choice";
    decorative.type = "checkbox";
    choice.append(decorative, ` ${this.#text("decorative")}`);
    decorative.addEventListener("change", () => {
      altField.disabled = decorative.checked;
    });
    const captionLabel = document.createElement("label");
    captionLabel.textContent = this.#text("caption");
    this.#caption.maxLength = 500;
    captionLabel.append(this.#caption);
    altField.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    });
    const insert = document.createElement("button");
    insert.textContent = this.#text("insert");
    form.append(this.#image, label, choice, captionLabel, insert);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#insert();
    });
  }

  #showList(): void {
    this.#chosen = null;
    this.#describeForm.hidden = true;
    for (const part of [this.#search, this.#file, this.#grid]) part.hidden = false;
    this.#state.textContent = "";
  }

  /** Fetches pictures; ignores the response if a later request was sent. */
  async #fetchPictures(): Promise<void> {
    this.#requestCount += 1;
    const requestNumber = this.#requestCount;
    const query = new URLSearchParams({ q: this.#search.value.trim() });
    const answer = await fetch(`/admin/media/pick?${query}`).catch(() => null);
    if (requestNumber !== this.#requestCount) return;
    if (answer === null || !answer.ok) {
      this.#state.textContent = faultOf(answer, document.body.dataset);
      return;
    }
    const { items }: { items: Medium[] } = await answer.json();
    this.#grid.replaceChildren(...items.map((item) => this.#cardOf(item)));
    const isSearched = this.#search.value.trim() !== "";
    this.#search.hidden = items.length === 0 && !isSearched;
    this.#state.textContent = items.length === 0 && isSearched ? this.#text("none") : "";
  }

  #cardOf(item: Medium): HTMLElement {
    const card = quietButton("");
    const image = document.createElement("img");
    image.src = item.thumbnail ?? "";
    image.alt = "";
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = item.alt === "" ? item.name : item.alt;
    card.append(image, name);
    card.addEventListener("click", () => this.#choose(item));
    return card;
  }

  #choose(item: Medium): void {
    if (!item.isPicture) {
      this.#insertMarkdown(`[${escapeMarkdown(item.name)}](${item.path})`);
      return;
    }
    this.#chosen = item;
    this.#isRefused = false;
    for (const part of [this.#search, this.#file, this.#grid]) part.hidden = true;
    this.#describeForm.hidden = false;
    this.#image.src = item.thumbnail ?? "";
    this.#image.alt = "";
    this.#altField.value = item.alt;
    this.#caption.value = "";
    this.#decorative.checked = item.isDecorative;
    this.#altField.disabled = item.isDecorative;
    (item.isDecorative ? this.#decorative : this.#altField).focus();
    this.#altField.select();
  }

  async #insert(): Promise<void> {
    const item = this.#chosen;
    if (item === null) return;
    const alt = this.#decorative.checked ? "" : this.#altField.value.trim();
    if (alt === "" && !this.#decorative.checked) {
      this.#altField.focus();
      this.#state.textContent = this.#text("words");
      return;
    }
    const isUndescribed = item.alt === "" && !item.isDecorative;
    if (isUndescribed && mayUpload(this.#area) && !this.#isRefused) {
      const fault = await this.#saveAlt(item, alt);
      if (fault !== null) {
        this.#isRefused = true;
        this.#state.textContent = this.#text("unkept").replace("{fault}", fault);
        return;
      }
    }
    const caption = this.#caption.value.trim().replaceAll(/["\\]/g, "\\$&");
    this.#insertMarkdown(
      `![${escapeMarkdown(alt)}](${item.path}${caption === "" ? "" : ` "${caption}"`})`,
    );
  }

  /** Stores the alternative text. @returns why it was not stored; null: it was. */
  async #saveAlt({ id }: Medium, alt: string): Promise<string | null> {
    const decorative = String(this.#decorative.checked);
    const body = new URLSearchParams({ token: this.#token(), alt, decorative });
    const path = `/admin/media/${id}/describe`;
    const answer = await fetch(path, { method: "POST", body }).catch(() => null);
    return answer?.ok === true ? null : faultOf(answer, document.body.dataset);
  }

  /** Inserts Markdown as its own paragraph, unless the caret is within a line. */
  #insertMarkdown(markdown: string): void {
    this.#dialog.close();
    const area = this.#area;
    area.focus();
    const before = area.value.slice(0, area.selectionStart);
    const after = area.value.slice(area.selectionEnd);
    const isAtLineEdge = /(?:^|\n)$/.test(before) || /^(?:\n|$)/.test(after);
    const text = isAtLineEdge ? `${missingBreaks(before)}${markdown}\n\n` : markdown;
    if (document.execCommand("insertText", false, text)) return;
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #token(): string {
    return this.#area.form?.querySelector<HTMLInputElement>("input[name=token]")?.value ?? "";
  }

  #text(name: string): string {
    return this.#texts[name] ?? "";
  }
}

/** The line breaks to insert after a text so that a new paragraph can follow. */
function missingBreaks(before: string): string {
  if (before.trim() === "" || /\n[ \t]*\n$/.test(before)) return "";
  return before.endsWith("\n") ? "\n" : "\n\n";
}

function quietButton(text: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = text;
  return button;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[[\]\\]/g, "\\$&");
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-picture]")) {
  const area = document.getElementById(button.dataset["picture"] ?? "");
  if (area instanceof HTMLTextAreaElement) offerPictures(button, area);
}
