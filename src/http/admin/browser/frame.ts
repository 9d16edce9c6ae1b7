/**
 * `/` and Ctrl-K focus the search box of every screen; Ctrl-Enter presses the main button of a
 * form. First steps suggest the time zone of the browser. Codes get a button that copies them.
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

const codes = document.querySelector<HTMLElement>("[data-copy]");
if (codes !== null && "clipboard" in navigator) {
  for (const code of document.querySelectorAll<HTMLElement>("p.code, pre.code")) {
    code.after(copyButton(code, codes.dataset));
  }
}

function copyButton(code: HTMLElement, { copy = "", copied = "" }: DOMStringMap): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet copy";
  button.textContent = copy;
  const said = document.createElement("span");
  said.className = "state";
  said.role = "status";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent.trim());
    said.textContent = ` ${copied}`;
  });
  const line = document.createElement("p");
  line.append(button, said);
  return line;
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && target.matches("input, textarea, select");
}
