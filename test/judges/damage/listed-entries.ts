import { z } from "zod";
import { withoutAddresses } from "./differences.ts";

/** A list as the API or a tool returns it. */
export interface ListedEntries {
  /** Each entry as JSON. Links have their notes, which tools state once for a whole answer. */
  entries: string[];
  cursor: string | null;
  /** All else in the answer but the notes, as JSON. */
  rest: string;
}

const toolAnswer = z.object({
  result: z.object({ content: z.tuple([z.object({ text: z.string() })]) }),
});
const page = z.record(z.string(), z.unknown());
const entry = z.record(z.string(), z.unknown());
const notes = z.record(z.string(), z.string()).catch({});
const cursor = z.string().nullable().catch(null);
const link = z.union([z.string().transform((name) => ({ name })), z.looseObject({})]);

/** The list in an answer of the API or a tool; null: there is none. An entry is the same on whichever page it stands. */
export function listedEntries(answer: string): ListedEntries | null {
  const parsed = page.safeParse(jsonOf(answer));
  if (!parsed.success) return null;
  const tool = toolAnswer.safeParse(parsed.data);
  if (tool.success) return listedEntries(tool.data.result.content[0].text);
  const { link_notes: shared, next_cursor: next, nextCursor = next, ...others } = parsed.data;
  const lists = Object.entries(others).flatMap(([name, value]) => {
    const found = z.array(entry).safeParse(value);
    return found.success ? [{ name, entries: found.data }] : [];
  });
  const [list, ...more] = lists;
  if (list === undefined || more.length > 0) return null;
  return {
    entries: list.entries.map((each) =>
      withoutAddresses(JSON.stringify(withNotes(each, notes.parse(shared)))),
    ),
    cursor: cursor.parse(nextCursor),
    rest: JSON.stringify({ ...others, [list.name]: null }),
  };
}

function withNotes(
  { link_notes: own, ...each }: Record<string, unknown>,
  shared: Readonly<Record<string, string>>,
): unknown {
  const stated = { ...shared, ...notes.parse(own) };
  return Object.entries(each).map(([name, value]) => {
    const note = stated[name] ?? "";
    if (!Array.isArray(value)) return [name, { value, note }];
    // A new reading copy can list the links of both ends in another order.
    return [name, value.map((one) => JSON.stringify({ note, ...link.parse(one) })).sort()];
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
