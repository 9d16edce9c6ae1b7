import { requestErrorText } from "./faults.ts";

/**
 * This script turns the field for links into a combobox over the names of items, with an option to
 * create a missing item. Without the script, names are typed one per line.
 */

const DEBOUNCE_MS = 120;
const RETRY_MS = 1000;

interface NamedItem {
  id: string;
  title: string;
  path: string;
  status: string;
  /** The status in words; absent for a newly created item. */
  statusLabel?: string;
}

interface Link {
  /** The id of the item. */
  to: string;
  title: string | null;
}

type Entry = { kind: "item"; item: NamedItem } | { kind: "create"; title: string };

class Picker {
  readonly box = document.createElement("div");
  readonly #field: HTMLFieldSetElement;
  readonly #input = document.createElement("input");
  readonly #list = document.createElement("ul");
  readonly #fault = document.createElement("p");
  #entries: readonly Entry[] = [];
  /** The search text whose results are listed. */
  #listedQuery = "";
  #active = 0;
  #requestCount = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(field: HTMLFieldSetElement) {
    this.#field = field;
    const [input, list] = [this.#input, this.#list];
    this.box.className = "picker";
    list.id = `list-${field.dataset["picker"]}`;
    list.setAttribute("role", "listbox");
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", list.id);
    for (const element of [input, list]) {
      element.setAttribute("aria-label", field.dataset["label"] ?? "");
    }
    input.autocomplete = "off";
    this.#fault.className = "fault";
    this.#fault.setAttribute("role", "status");
    this.#fault.hidden = true;
    // The fault is shown above the input, because the list would cover it below.
    this.box.append(this.#fault, input, list);
    this.#show([]);
    input.addEventListener("input", (event) => {
      // Hides the event from the editor's script, which would otherwise save the search text as
      // content.
      event.stopPropagation();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#fetchNames(), DEBOUNCE_MS);
    });
    // Submits a name that was typed but not selected; the server looks the name up.
    const form = field.form;
    form?.addEventListener("submit", () => {
      const area = field.querySelector("textarea");
      // With autosave, nothing needs submitting: the editor's script saves each link when it is
      // selected.
      if (area !== null && form.dataset["autosave"] === undefined) area.value = input.value.trim();
    });
    input.addEventListener("blur", () => this.#close());
    input.addEventListener("keydown", (event) => this.#handleKey(event));
  }

  #handleKey(event: KeyboardEvent): void {
    // While an input method composes a word, its keys choose the characters.
    if (event.isComposing) return;
    if (event.key === "Enter" && this.#input.value.trim() !== "") {
      event.preventDefault();
      void this.#chooseActive();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    const count = this.#entries.length;
    if (count === 0 || (step === 0 && event.key !== "Escape")) return;
    event.preventDefault();
    if (step === 0) {
      this.#close();
      return;
    }
    this.#active = (this.#active + step + count) % count;
    this.#show(this.#entries);
  }

  /**
   * Chooses the active option. If the options belong to an earlier text, fetches new ones first.
   */
  async #chooseActive(): Promise<void> {
    clearTimeout(this.#timer);
    if (this.#listedQuery !== this.#input.value.trim()) await this.#fetchNames();
    const entry = this.#entries[this.#active];
    if (entry !== undefined) await this.#choose(entry);
  }

  /** Fetches names; ignores the response if a later request was sent. */
  async #fetchNames(): Promise<void> {
    const text = this.#input.value.trim();
    if (text === "") return this.#close();
    this.#requestCount += 1;
    const requestNumber = this.#requestCount;
    const answer = await namesLike(this.#field.dataset["type"] ?? "", text);
    if (requestNumber !== this.#requestCount) return;
    this.#report(answer);
    // Retries, because a new item is offered only after a search for existing items of that name.
    if (answer?.status !== 200) {
      this.#timer = setTimeout(() => void this.#fetchNames(), RETRY_MS);
      return;
    }
    const { items }: { items: NamedItem[] } = await answer.json();
    const isKnown = items.some(({ title }) => title.toLowerCase() === text.toLowerCase());
    this.#active = 0;
    this.#listedQuery = text;
    this.#show([
      ...items.map((item): Entry => ({ kind: "item", item })),
      ...(isKnown || !this.#mayCreate() ? [] : [{ kind: "create", title: text } as const]),
    ]);
  }

  #mayCreate(): boolean {
    return this.#field.dataset["create"] !== undefined;
  }

  async #choose(entry: Entry): Promise<void> {
    const item = entry.kind === "item" ? entry.item : await this.#create(entry.title);
    if (item === null) return;
    chooseLink(this.#field, { to: item.id, title: item.title });
    this.#input.value = "";
    this.#close();
    this.#input.focus();
  }

  async #create(title: string): Promise<NamedItem | null> {
    const answer = await createNamed(this.#field, title);
    this.#report(answer);
    return answer?.status === 200 ? await answer.json() : null;
  }

  /** Shows why a request failed; hides the text after the next success. */
  #report(answer: Response | null): void {
    const isGood = answer?.status === 200;
    this.#fault.textContent = isGood ? "" : requestErrorText(answer, document.body.dataset);
    this.#fault.hidden = isGood;
  }

  #close(): void {
    this.#requestCount += 1;
    this.#listedQuery = "";
    clearTimeout(this.#timer);
    this.#show([]);
  }

  #show(entries: readonly Entry[]): void {
    this.#entries = entries;
    this.#list.replaceChildren(...entries.map((entry, at) => this.#option(entry, at)));
    this.#list.hidden = entries.length === 0;
    if (entries.length > 0) this.#list.scrollIntoView({ block: "nearest" });
    this.#input.setAttribute("aria-expanded", String(entries.length > 0));
    const active = entries.length === 0 ? "" : `${this.#list.id}-${this.#active}`;
    this.#input.setAttribute("aria-activedescendant", active);
  }

  #option(entry: Entry, at: number): HTMLElement {
    const option = document.createElement("li");
    option.id = `${this.#list.id}-${at}`;
    option.setAttribute("role", "option");
    option.setAttribute("aria-selected", String(at === this.#active));
    if (entry.kind === "create") {
      option.textContent = (this.#field.dataset["create"] ?? "").replace("{name}", entry.title);
    } else {
      const { title, path, status, statusLabel } = entry.item;
      const place = document.createElement("span");
      place.className = "state";
      place.textContent = status === "published" ? path : `${path} · ${statusLabel ?? status}`;
      option.append(`${title} `, place);
    }
    option.addEventListener("mousedown", (event) => event.preventDefault());
    option.addEventListener("click", () => void this.#choose(entry));
    return option;
  }
}

for (const field of document.querySelectorAll<HTMLFieldSetElement>("fieldset[data-picker]")) {
  field.addEventListener("links", (event) => {
    if (event instanceof CustomEvent) showLinks(field, event.detail);
  });
  const area = field.querySelector("textarea");
  const hint = field.querySelector(".hint");
  if (area === null || area.value.trim() !== "") continue;
  area.hidden = true;
  if (hint !== null) hint.textContent = field.dataset["hint"] ?? "";
  area.after(new Picker(field).box);
}

/** Looks up items by name; null if there is no connection. */
async function namesLike(type: string, text: string): Promise<Response | null> {
  const query = new URLSearchParams({ type, q: text });
  return await fetch(`/admin/names?${query}`).catch(() => null);
}

async function createNamed(field: HTMLFieldSetElement, title: string): Promise<Response | null> {
  const token = field.form?.querySelector<HTMLInputElement>("input[name=token]")?.value ?? "";
  const body = new URLSearchParams({ type: field.dataset["type"] ?? "", title, token });
  return await fetch("/admin/names", { method: "POST", body }).catch(() => null);
}

/** Adds a chosen link. In a field for a single link, the new link replaces the existing one. */
function chooseLink(field: HTMLFieldSetElement, link: Link): void {
  if (field.dataset["one"] !== undefined) {
    for (const box of checkboxes(field)) if (box.value !== link.to) box.closest("label")?.remove();
  }
  tick(field, link).dispatchEvent(new Event("input", { bubbles: true }));
}

/** Replaces the links with the links that another person has saved. */
function showLinks(field: HTMLFieldSetElement, links: readonly Link[]): void {
  for (const box of checkboxes(field)) box.checked = false;
  for (const link of links) tick(field, link);
}

/**
 * Ticks the checkbox of a link. If the link has none, adds one like those that the server renders.
 */
function tick(field: HTMLFieldSetElement, { to, title }: Link): HTMLInputElement {
  const known = checkboxes(field).find(({ value }) => value === to);
  const box = known ?? document.createElement("input");
  if (known === undefined) {
    const label = document.createElement("label");
    const text = document.createElement("span");
    box.type = "checkbox";
    box.name = `r.${field.dataset["picker"]}`;
    box.value = to;
    label.className = "choice";
    text.textContent = title ?? to;
    label.append(box, text);
    field.querySelector(".hint")?.before(label);
  }
  box.checked = true;
  return box;
}

function checkboxes(field: HTMLFieldSetElement): HTMLInputElement[] {
  return [...field.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
}
