/**
 * `/` and Ctrl-K focus the search box of every screen; Ctrl-Enter presses the main button of a
 * form. First steps suggest the time zone of the browser.
 */
const find = document.querySelector<HTMLInputElement>("#find");

document.addEventListener("keydown", (event) => {
  const isChord = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
  if (find === null || !(isChord || (event.key === "/" && !isTyping(event)))) return;
  event.preventDefault();
  find.focus();
  find.select();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const { target } = event;
  const form = target instanceof HTMLElement ? target.closest("form") : null;
  const main = form?.querySelector<HTMLButtonElement>("button:not(.quiet, [type=button])");
  if (main == null) return;
  event.preventDefault();
  main.click();
});

const ownZone = document.querySelector<HTMLInputElement>("[data-own-time-zone]");
if (ownZone !== null && ownZone.value === "") {
  ownZone.value = new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
