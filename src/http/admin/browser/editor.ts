import { requestErrorText } from "./faults.ts";
import { type ConcurrentChanges, mergeConcurrentChanges } from "./form-merging.ts";
import { type FormValues, formValuesOf, isControl, type NamedValue } from "./form-values.ts";

/**
 * This script autosaves the draft. It sends one request at a time, with only the changed controls.
 * Unsaved input is also stored in the browser, in case the tab closes, the connection is lost or
 * the session ends. Without the script, the form's buttons save.
 */

const DEBOUNCE_MS = 1000;
const RETRY_MS = 5000;

interface Saved extends ConcurrentChanges {
  kind: "saved";
  version: string;
  /** The state of the draft, in words, for the editor. */
  state: string;
}

/** The server does not accept a value, such as a time that does not exist. */
interface Refused {
  kind: "refused";
  fault: string;
}

type Outcome = Saved | Refused | { kind: "conflict" | "signed-out" | "unavailable" };

const REFUSED_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);

/** Input in the browser's storage that has possibly not reached the server. */
interface StoredInput {
  /** The version of the draft that the input is based on. */
  version: string;
  texts: readonly NamedValue[];
  /** Values that were sent but not yet confirmed. It is unknown whether the server has saved them. */
  unanswered: readonly NamedValue[];
}

class Autosave {
  readonly #form: HTMLFormElement;
  readonly #state: HTMLElement;
  readonly #path: string;
  /** The last state that form and server agreed on. */
  readonly #lastSavedValues: FormValues;
  /** Values of an unconfirmed save, resent unchanged so that the server recognises the repeat. */
  #unanswered: FormValues = new Map();
  #isSaving = false;
  /** Set after a conflict: autosaving stops, and only the form's buttons save. */
  #isStopped: boolean;
  /**
   * The button pressed while something was unsaved; it submits the form once everything is saved.
   */
  #pressedButton: HTMLElement | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(form: HTMLFormElement, state: HTMLElement) {
    this.#form = form;
    this.#state = state;
    this.#path = form.dataset["autosave"] ?? "";
    this.#lastSavedValues = formValuesOf(form);
    this.#isStopped = form.dataset["conflict"] !== undefined;
    form.addEventListener("input", () => {
      this.#storeInput();
      this.#scheduleSave(DEBOUNCE_MS);
    });
    form.addEventListener("submit", (event) => this.#submit(event));
    addEventListener("pagehide", () => this.#saveOnLeaving());
    addEventListener("online", () => this.#scheduleSave(0));
    if (!this.#isStopped) this.#restore();
  }

  #scheduleSave(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#save(), milliseconds);
  }

  async #save(): Promise<void> {
    const sent = this.#unanswered.size > 0 ? this.#unanswered : this.#changedValues();
    if (sent.size === 0 || this.#isSaving || this.#isStopped) return;
    this.#isSaving = true;
    this.#unanswered = sent;
    this.#storeInput();
    this.#showState(this.#text("saving"));
    const outcome = await send(this.#path, formParameters(this.#form, sent));
    this.#isSaving = false;
    if (outcome.kind !== "unavailable") this.#unanswered = new Map();
    if (outcome.kind === "saved") this.#afterSaving(sent, outcome);
    else if (outcome.kind === "refused") this.#afterRefusal(outcome);
    else await this.#afterFailing(outcome.kind);
  }

  #afterSaving(sent: FormValues, saved: Saved): void {
    for (const [name, value] of sent) this.#lastSavedValues.set(name, value);
    // On a conflict, the form's version number does not change, because the form's texts are still
    // based on that version.
    if (!mergeConcurrentChanges(this.#form, this.#lastSavedValues, saved)) {
      this.#stop();
      return;
    }
    setAll("version", saved.version);
    this.#form.dispatchEvent(new Event("saved"));
    if (this.#changedValues().size > 0) {
      this.#storeInput();
      this.#scheduleSave(this.#pressedButton === null ? DEBOUNCE_MS : 0);
      return;
    }
    localStorage.removeItem(this.#path);
    this.#showState(saved.state);
    if (saved.controls !== undefined) this.#state.append(` · ${this.#text("others")}`);
    if (this.#pressedButton !== null) this.#form.requestSubmit(this.#pressedButton);
  }

  /** Waits for the person to correct the value: repeating the same save would fail again. */
  #afterRefusal({ fault }: Refused): void {
    this.#warn(fault);
    if (this.#pressedButton === null) return;
    this.#isStopped = true;
    this.#form.requestSubmit(this.#pressedButton);
  }

  async #afterFailing(why: Exclude<Outcome, Saved | Refused>["kind"]): Promise<void> {
    if (why === "conflict") {
      this.#stop();
      return;
    }
    this.#pressedButton = null;
    this.#warn(this.#text(why === "signed-out" ? "signIn" : "waiting"));
    if (why === "signed-out") await renewToken();
    this.#scheduleSave(RETRY_MS);
  }

  #stop(): void {
    this.#isStopped = true;
    this.#warn(this.#text("stale"));
    if (this.#pressedButton !== null) this.#form.requestSubmit(this.#pressedButton);
  }

  /** Delays the submission of the form until everything is saved. */
  #submit(event: SubmitEvent): void {
    clearTimeout(this.#timer);
    if (this.#isStopped || this.#isAllSaved()) {
      this.#isStopped = true;
      return;
    }
    event.preventDefault();
    this.#pressedButton = event.submitter;
    void this.#save();
  }

  #saveOnLeaving(): void {
    const changed = this.#changedValues();
    if (changed.size === 0 || this.#isStopped) return;
    navigator.sendBeacon(this.#path, formParameters(this.#form, changed));
  }

  #storeInput(): void {
    const texts = [...this.#changedValues()].filter(([name]) => !name.startsWith("r."));
    const version = versionOf(this.#form);
    store(this.#path, { version, texts, unanswered: [...this.#unanswered] });
  }

  /**
   * Restores input from the browser's storage and saves it, with the version that the input was
   * based on.
   */
  #restore(): void {
    const stored = storedInput(this.#path);
    if (stored === null) return;
    const isChanged = stored.texts.filter((each) => setControlValue(this.#form, each)).length > 0;
    if (!isChanged) {
      localStorage.removeItem(this.#path);
      return;
    }
    this.#unanswered = new Map(stored.unanswered);
    setAll("version", stored.version);
    this.#scheduleSave(0);
  }

  #changedValues(): FormValues {
    const values = [...formValuesOf(this.#form)];
    return new Map(values.filter(([name, value]) => this.#lastSavedValues.get(name) !== value));
  }

  #isAllSaved(): boolean {
    return !this.#isSaving && this.#unanswered.size === 0 && this.#changedValues().size === 0;
  }

  #showState(text: string): void {
    this.#state.textContent = text;
    this.#state.removeAttribute("data-warns");
  }

  #warn(text: string): void {
    this.#state.textContent = text;
    // Makes the notice stick to the top of the screen, so that it is visible wherever the person
    // types.
    this.#state.setAttribute("data-warns", "");
  }

  #text(name: string): string {
    return this.#form.dataset[name] ?? "";
  }
}

const form = document.querySelector<HTMLFormElement>("form[data-autosave]");
const stateElement = document.querySelector<HTMLElement>("[data-state]");
if (form !== null && stateElement !== null) new Autosave(form, stateElement);

async function send(path: string, body: URLSearchParams): Promise<Outcome> {
  try {
    const answer = await fetch(path, { method: "POST", body, redirect: "manual" });
    if (answer.status === 200) {
      const { version, ...others } = await answer.json();
      return { kind: "saved", version: String(version), ...others };
    }
    if (answer.status === 401 || answer.status === 403 || answer.type === "opaqueredirect") {
      return { kind: "signed-out" };
    }
    if (REFUSED_STATUSES.has(answer.status)) {
      return { kind: "refused", fault: requestErrorText(answer, document.body.dataset) };
    }
    return { kind: answer.status < 500 && answer.status !== 429 ? "conflict" : "unavailable" };
  } catch {
    return { kind: "unavailable" };
  }
}

/**
 * Fetches the form token of the current session, for example after a new sign-in in another tab.
 */
async function renewToken(): Promise<void> {
  const answer = await fetch(location.href, { redirect: "manual" }).catch(() => null);
  if (answer?.status !== 200) return;
  const token = / name="token" value="([^"]+)"/.exec(await answer.text())?.[1];
  if (token !== undefined) setAll("token", token);
}

/** The fields of a request that saves the given values. */
function formParameters(form: HTMLFormElement, values: FormValues): URLSearchParams {
  const token = String(new FormData(form).get("token"));
  const fields = new URLSearchParams({ token, version: versionOf(form) });
  for (const [name, value] of values) {
    fields.append("only", name);
    const fieldValues = name.startsWith("r.")
      ? value.split("\n").filter((id) => id !== "")
      : [value];
    for (const each of fieldValues) fields.append(name, each);
  }
  return fields;
}

function versionOf(form: HTMLFormElement): string {
  return String(new FormData(form).get("version"));
}

/**
 * Sets the hidden field `name` in every form of the page, including the form that discards the
 * draft.
 */
function setAll(name: "version" | "token", value: string): void {
  const fields = document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`);
  for (const field of fields) field.value = value;
}

function store(path: string, kept: StoredInput): void {
  try {
    localStorage.setItem(path, JSON.stringify(kept));
  } catch {
    // Storage is full or forbidden. The server has the input up to the last save.
  }
}

function storedInput(path: string): StoredInput | null {
  const stored = localStorage.getItem(path);
  return stored === null ? null : JSON.parse(stored);
}

/** Sets a control. @returns whether its value changed. */
function setControlValue(form: HTMLFormElement, [name, value]: NamedValue): boolean {
  const field = form.elements.namedItem(name);
  if (!(field instanceof Element && isControl(field)) || field.value === value) return false;
  field.value = value;
  return true;
}
