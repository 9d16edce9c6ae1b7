/**
 * This script converts text pasted from word processors and mail programs to Markdown, on the
 * server. The unformatted text appears at once; undoing the conversion restores it. The script also
 * inserts footnotes.
 */

const FORMATTED_HTML = /<(h\d|p|ul|ol|li|b|strong|i|em|a|table|blockquote)[\s>]/i;

for (const area of document.querySelectorAll<HTMLTextAreaElement>("textarea[data-markdown]")) {
  area.addEventListener("paste", (event) => {
    const html = event.clipboardData?.getData("text/html") ?? "";
    const plain = event.clipboardData?.getData("text/plain") ?? "";
    if (!FORMATTED_HTML.test(html)) return;
    event.preventDefault();
    void paste(area, { html, plain: plain.replaceAll(/\r\n?/g, "\n") });
  });
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-footnote]")) {
  button.addEventListener("click", () => {
    const id = button.closest("markdown-toolbar")?.getAttribute("for") ?? "";
    const area = document.getElementById(id);
    if (area instanceof HTMLTextAreaElement) addFootnote(area);
  });
}

async function paste(
  area: HTMLTextAreaElement,
  { html, plain }: { html: string; plain: string },
): Promise<void> {
  const start = area.selectionStart;
  insert(area, plain);
  const markdown = await convertToMarkdown(area.form, html);
  if (markdown === null || area.value.slice(start, start + plain.length) !== plain) return;
  area.setSelectionRange(start, start + plain.length);
  insert(area, markdown.replace(/\n$/, ""));
}

async function convertToMarkdown(
  form: HTMLFormElement | null,
  html: string,
): Promise<string | null> {
  const token = form?.querySelector<HTMLInputElement>("input[name=token]")?.value ?? "";
  const body = new URLSearchParams({ html, token });
  const answer = await fetch("/admin/paste", { method: "POST", body }).catch(() => null);
  if (answer?.status !== 200) return null;
  const { markdown } = await answer.json();
  return String(markdown);
}

/** Inserts the next footnote number at the caret, and its note at the end of the text. */
function addFootnote(area: HTMLTextAreaElement): void {
  const numbers = [...area.value.matchAll(/\[\^(\d+)\]/g)].map(([, number]) => Number(number));
  const number = Math.max(0, ...numbers) + 1;
  area.setSelectionRange(area.selectionEnd, area.selectionEnd);
  insert(area, `[^${number}]`);
  const before = area.value.trimEnd();
  const note = area.form?.dataset["note"] ?? "";
  const hasNotes = /^\[\^\d+\]:.*$/.test(before.split("\n").at(-1) ?? "");
  area.setSelectionRange(before.length, area.value.length);
  insert(area, `${hasNotes ? "\n" : "\n\n"}[^${number}]: ${note}\n`);
  const end = area.value.length - 1;
  area.setSelectionRange(end - note.length, end);
}

/** Replaces the selection with a text, in a way that the browser can undo. */
function insert(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  const isInserted =
    text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (isInserted) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}
