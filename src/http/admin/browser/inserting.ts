/** Inserts Markdown as its own paragraph, unless the caret is within a line. */
export function insertMarkdown(area: HTMLTextAreaElement, markdown: string): void {
  area.focus();
  const before = area.value.slice(0, area.selectionStart);
  const after = area.value.slice(area.selectionEnd);
  const isAtLineEdge = /(?:^|\n)$/.test(before) || /^(?:\n|$)/.test(after);
  const text = isAtLineEdge ? `${missingBreaks(before)}${markdown}\n\n` : markdown;
  if (document.execCommand("insertText", false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Replaces the value of an input, as if a person had typed it. */
export function replaceValue(input: HTMLInputElement, value: string): void {
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  input.focus();
}

/** The line breaks needed after a text so that the next text starts a new paragraph. */
function missingBreaks(before: string): string {
  if (before.trim() === "" || /\n[ \t]*\n$/.test(before)) return "";
  return before.endsWith("\n") ? "\n" : "\n\n";
}
