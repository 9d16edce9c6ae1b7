/**
 * This script adds keyboard shortcuts to every screen: `/` and Ctrl-K focus the search box, and
 * Ctrl-Enter presses the main button of a form. The script also sends a form only once when its button is
 * tapped twice, suggests the browser's time zone in the first-steps form, and adds a copy button to codes.
 */

const DOUBLE_TAP_MILLISECONDS_MAX = 1000;

const searchBox = document.querySelector<HTMLInputElement>("#find");

document.addEventListener("keydown", (event) => {
  const isSearchChord = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  if (searchBox === null || !(isSearchChord || (event.key === "/" && !isTyping(event)))) return;
  event.preventDefault();
  searchBox.focus();
  searchBox.select();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const { target } = event;
  const form = target instanceof HTMLElement ? target.closest("form") : null;
  const mainButton = form?.querySelector<HTMLButtonElement>("button:not(.quiet, [type=button])");
  if (mainButton == null) return;
  event.preventDefault();
  mainButton.click();
});

const pressedAt = new WeakMap<object, number>();

document.addEventListener("submit", (event) => {
  const { submitter, timeStamp } = event;
  if (submitter === null || event.defaultPrevented) return;
  const before = pressedAt.get(submitter) ?? Number.NEGATIVE_INFINITY;
  if (timeStamp - before < DOUBLE_TAP_MILLISECONDS_MAX) event.preventDefault();
  else pressedAt.set(submitter, timeStamp);
});

const timeZoneField = document.querySelector<HTMLInputElement>("[data-own-time-zone]");
if (timeZoneField !== null && timeZoneField.value === "") {
  timeZoneField.value = new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const copyLabels = document.querySelector<HTMLElement>("[data-copy]");
if (copyLabels !== null && "clipboard" in navigator) {
  for (const code of document.querySelectorAll<HTMLElement>("p.code, pre.code")) {
    code.after(copyButton(code, copyLabels.dataset));
  }
}

function copyButton(code: HTMLElement, { copy = "", copied = "" }: DOMStringMap): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy";
  button.textContent = copy;
  const confirmation = document.createElement("span");
  confirmation.className = "state";
  confirmation.role = "status";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent.trim());
    confirmation.textContent = ` ${copied}`;
  });
  const line = document.createElement("p");
  line.append(button, confirmation);
  return line;
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
