/**
 * Saves the draft while its editor types: one request at a time, never reloading a field. Without this
 * script the form works with its buttons. What is not yet saved is also kept in the browser's storage, for
 * a closed tab, a lost connection or an ended session.
 */
const PAUSE_MS = 1000;
const RETRY_MS = 5000;

interface Kept {
  version: string;
  values: [name: string, value: string][];
}

const form = document.querySelector<HTMLFormElement>("form[data-autosave]");
const state = document.querySelector<HTMLElement>("[data-state]");
if (form !== null && state !== null) watch(form, state);

function watch(form: HTMLFormElement, state: HTMLElement): void {
  const path = form.dataset["autosave"] ?? "";
  const text = (name: string) => form.dataset[name] ?? "";
  let isDirty = false;
  let isSaving = false;
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const later = (milliseconds: number) => {
    clearTimeout(timer);
    timer = setTimeout(save, milliseconds);
  };

  const save = async () => {
    if (!isDirty || isSaving || isStopped) return;
    isSaving = true;
    isDirty = false;
    state.textContent = text("saving");
    const outcome = await send(path, fieldsOf(form));
    isSaving = false;
    if (outcome.kind === "saved") {
      setValue(form, "version", outcome.version);
      if (isDirty) return later(PAUSE_MS);
      localStorage.removeItem(path);
      state.textContent = text("saved");
      return;
    }
    isDirty = true;
    if (outcome.kind === "conflict") {
      isStopped = true;
      state.textContent = text("stale");
      return;
    }
    state.textContent = text(outcome.kind === "signed-out" ? "signIn" : "waiting");
    if (outcome.kind === "signed-out") await renewToken(form);
    later(RETRY_MS);
  };

  form.addEventListener("input", () => {
    isDirty = true;
    keep(path, form);
    later(PAUSE_MS);
  });
  form.addEventListener("submit", () => {
    isStopped = true;
    localStorage.removeItem(path);
  });
  addEventListener("pagehide", () => {
    if (isDirty && !isStopped) navigator.sendBeacon(path, fieldsOf(form));
  });
  addEventListener("online", () => later(0));
  if (restore(path, form)) {
    isDirty = true;
    later(0);
  }
}

type Outcome = { kind: "saved"; version: string } | { kind: "conflict" | "signed-out" | "away" };

async function send(path: string, body: URLSearchParams): Promise<Outcome> {
  try {
    const answer = await fetch(path, { method: "POST", body, redirect: "manual" });
    if (answer.status === 200) {
      const { version } = await answer.json();
      return { kind: "saved", version: String(version) };
    }
    if (answer.status === 401 || answer.status === 403 || answer.type === "opaqueredirect") {
      return { kind: "signed-out" };
    }
    return { kind: answer.status < 500 && answer.status !== 429 ? "conflict" : "away" };
  } catch {
    return { kind: "away" };
  }
}

/** After signing in elsewhere, the form belongs to the new session. */
async function renewToken(form: HTMLFormElement): Promise<void> {
  const answer = await fetch(location.href, { redirect: "manual" }).catch(() => null);
  if (answer?.status !== 200) return;
  const token = / name="token" value="([^"]+)"/.exec(await answer.text())?.[1];
  if (token !== undefined) setValue(form, "token", token);
}

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") fields.append(name, value);
  }
  return fields;
}

function setValue(form: HTMLFormElement, name: string, value: string): void {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) field.value = value;
}

function keep(path: string, form: HTMLFormElement): void {
  const values = [...fieldsOf(form)].filter(([name]) => name !== "token");
  const version = values.find(([name]) => name === "version")?.[1] ?? "";
  const kept: Kept = { version, values };
  try {
    localStorage.setItem(path, JSON.stringify(kept));
  } catch {
    // Storage is full or forbidden: the server still has what was saved.
  }
}

/** Puts back what was typed and not saved. @returns whether there was anything. */
function restore(path: string, form: HTMLFormElement): boolean {
  const stored = localStorage.getItem(path);
  if (stored === null) return false;
  const { values }: Kept = JSON.parse(stored);
  const byName = new Map(values);
  let isChanged = false;
  for (const field of form.elements) {
    const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement;
    if (!(isText || field instanceof HTMLSelectElement)) continue;
    const value = byName.get(field.name);
    if (value === undefined || field.type === "checkbox" || field.value === value) continue;
    field.value = value;
    isChanged ||= field.name !== "version";
  }
  return isChanged;
}
