import type { StateCore, Token } from "markdown-it";

interface UsedNote {
  label: string;
  /** How often the text refers to the note. */
  count: number;
}

/**
 * Moves the notes behind the text. Takes linear time, while the rule of `markdown-it-footnote` copies
 * the whole text for each note.
 */
export function moveFootnotesToEnd(state: StateCore): void {
  const { text, notes } = separateNotes(state.tokens);
  state.tokens = text;
  const used = usedNotes(state.env["footnotes"]);
  if (used === null) return;
  const add = (type: string, nesting: -1 | 0 | 1, meta: Token["meta"] = null) => {
    const token = new state.Token(type, "", nesting);
    token.meta = meta;
    text.push(token);
  };
  add("footnote_block_open", 1);
  for (const [id, { label, count }] of used.entries()) {
    add("footnote_open", 1, { id, label });
    const note = notes.get(label) ?? [];
    const end = note.at(-1)?.type === "paragraph_close" ? note.pop() : undefined;
    for (const token of note) text.push(token);
    // The links back to the text are in the last paragraph of the note.
    for (let subId = 0; subId < Math.max(count, 1); subId += 1) {
      add("footnote_anchor", 0, { id, subId, label });
    }
    if (end !== undefined) text.push(end);
    add("footnote_close", -1);
  }
  add("footnote_block_close", -1);
}

/** The notes in the order of their numbers, as `markdown-it-footnote` lists them; null if there are none. */
function usedNotes(footnotes: unknown): readonly UsedNote[] | null {
  if (typeof footnotes !== "object" || footnotes === null || !("list" in footnotes)) return null;
  return Array.isArray(footnotes.list) ? footnotes.list : null;
}

/** Separates the text from the notes, by their labels. */
function separateNotes(tokens: readonly Token[]): { text: Token[]; notes: Map<string, Token[]> } {
  const text: Token[] = [];
  const notes = new Map<string, Token[]>();
  let note: Token[] = [];
  let label = "";
  let isInNote = false;
  for (const token of tokens) {
    if (token.type === "footnote_reference_open") {
      isInNote = true;
      note = [];
      label = String(token.meta?.["label"]);
    } else if (token.type === "footnote_reference_close") {
      isInNote = false;
      notes.set(label, note);
    } else (isInNote ? note : text).push(token);
  }
  return { text, notes };
}
