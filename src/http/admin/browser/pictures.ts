import { escapeLinkLabel } from "../../../content/media/link-label.ts";
import { requestErrorText } from "./faults.ts";
import { insertMarkdown, replaceValue } from "./inserting.ts";
import { type UploadedMediaFile, uploadFile } from "./uploading.ts";

/**
 * This script inserts pictures into a text, or the address of a picture into an input. The picture
 * is chosen from the site's files or uploaded; a text area also accepts dropped and pasted
 * pictures. The script asks for the alternative text on insertion. If the picture has no
 * alternative text yet, the script also stores the entered text with the picture. People without
 * permission to change files can only choose existing pictures; their alternative text is inserted
 * but not stored.
 */

const DEBOUNCE_MS = 150;

/** A text into which pictures are inserted, or an input for the address of a picture. */
type PictureControl = HTMLTextAreaElement | HTMLInputElement;

function offerPictures(button: HTMLButtonElement, control: PictureControl): void {
  const dialog = new PictureDialog(button, control);
  button.hidden = false;
  button.addEventListener("click", () => void dialog.open());
  if (control instanceof HTMLInputElement || !mayUpload(control)) return;
  control.addEventListener("dragover", (event) => event.preventDefault());
  control.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (file === undefined) return;
    event.preventDefault();
    void dialog.upload(file);
  });
  control.addEventListener("paste", (event) => {
    const [file] = event.clipboardData?.files ?? [];
    // Word processors put both a text and a picture of it on the clipboard; then only the text is
    // pasted.
    if (file === undefined || event.clipboardData?.getData("text/plain") !== "") return;
    event.preventDefault();
    void dialog.upload(file);
  });
}

function mayUpload({ form }: PictureControl): boolean {
  return form?.dataset["uploads"] !== undefined;
}

class PictureDialog {
  readonly #texts: DOMStringMap;
  readonly #control: PictureControl;
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
  #chosen: UploadedMediaFile | null = null;
  /**
   * Whether storing the alternative text failed. The next attempt then inserts the picture without
   * storing the text.
   */
  #isRefused = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #requestCount = 0;

  constructor(button: HTMLButtonElement, control: PictureControl) {
    this.#texts = button.dataset;
    this.#control = control;
    this.#build();
    document.body.append(this.#dialog);
  }

  async open(): Promise<void> {
    this.#showList();
    this.#dialog.showModal();
    // On a touch screen, focuses the upload button if there is one. Focus in the search box would
    // open a keyboard that covers the pictures.
    const isTouched = matchMedia("(pointer: coarse)").matches;
    (isTouched && mayUpload(this.#control) ? this.#file : this.#search).focus();
    await this.#fetchPictures();
  }

  /** Uploads a file and asks for its alternative text. */
  async upload(file: File): Promise<void> {
    this.#showList();
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#state.textContent = this.#text("uploading").replace("{name}", file.name);
    const result = await uploadFile(this.#control.form, file);
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
    heading.id = `pictures-${this.#control.id}`;
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
      if (chosen !== undefined) void this.upload(chosen);
      file.value = "";
    });
    this.#grid.className = "media";
    this.#state.setAttribute("role", "status");
    this.#state.className = "state";
    this.#buildDescribeForm();
    const controls = mayUpload(this.#control) ? [file, search] : [search];
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
    captionLabel.hidden = this.#control instanceof HTMLInputElement;
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
      this.#state.textContent = requestErrorText(answer, document.body.dataset);
      return;
    }
    const { items }: { items: UploadedMediaFile[] } = await answer.json();
    const isText = this.#control instanceof HTMLTextAreaElement;
    const offered = items.filter(({ isPicture }) => isText || isPicture);
    this.#grid.replaceChildren(...offered.map((item) => this.#cardOf(item)));
    const isSearched = this.#search.value.trim() !== "";
    this.#search.hidden = items.length === 0 && !isSearched;
    this.#state.textContent = items.length === 0 && isSearched ? this.#text("none") : "";
  }

  #cardOf(item: UploadedMediaFile): HTMLElement {
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

  #choose(item: UploadedMediaFile): void {
    if (!item.isPicture) {
      this.#insertFile(item, `[${escapeLinkLabel(item.name)}](${item.path})`);
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
    if (isUndescribed && mayUpload(this.#control) && !this.#isRefused) {
      const fault = await this.#saveAlt(item, alt);
      if (fault !== null) {
        this.#isRefused = true;
        this.#state.textContent = this.#text("unkept").replace("{fault}", fault);
        return;
      }
    }
    const caption = this.#caption.value.trim().replaceAll(/["\\]/g, "\\$&");
    this.#insertFile(
      item,
      `![${escapeLinkLabel(alt)}](${item.path}${caption === "" ? "" : ` "${caption}"`})`,
    );
  }

  /** Stores the alternative text. Returns why it was not stored; null if it was. */
  async #saveAlt({ id }: UploadedMediaFile, alt: string): Promise<string | null> {
    const decorative = String(this.#decorative.checked);
    const body = new URLSearchParams({ token: this.#token(), alt, decorative });
    const path = `/admin/media/${id}/describe`;
    const answer = await fetch(path, { method: "POST", body }).catch(() => null);
    return answer?.ok === true ? null : requestErrorText(answer, document.body.dataset);
  }

  /** Inserts Markdown into a text, or the address of the file into an input. */
  #insertFile({ path }: UploadedMediaFile, markdown: string): void {
    this.#dialog.close();
    const control = this.#control;
    if (control instanceof HTMLInputElement) replaceValue(control, path);
    else insertMarkdown(control, markdown);
  }

  #token(): string {
    return this.#control.form?.querySelector<HTMLInputElement>("input[name=token]")?.value ?? "";
  }

  #text(name: string): string {
    return this.#texts[name] ?? "";
  }
}

function quietButton(text: string): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet";
  button.textContent = text;
  return button;
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-picture]")) {
  const control = document.getElementById(button.dataset["picture"] ?? "");
  const isText = control instanceof HTMLTextAreaElement;
  if (isText || control instanceof HTMLInputElement) offerPictures(button, control);
}
