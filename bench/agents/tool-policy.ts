import { plain, type Question } from "./questions.ts";

/** Calls a tool and returns its text as a model gets it. */
export type CallTool = (name: string, args: object) => Promise<string>;

interface Row {
  url: string;
  text?: string;
  snippet?: string;
  authors?: readonly Named[];
  work?: Named;
  locator?: string;
  citation?: string;
}
type Named = string | { name: string; url?: string };

interface Counted {
  name: string;
  count: number;
}

/**
 * Answers with fixed calls for each kind of question, as a model would choose them after reading the
 * instructions. Uses only what the tools return.
 */
export async function answerByTools(question: Question, call: CallTool): Promise<string[]> {
  switch (question.kind) {
    case "find":
      return await find(question, call);
    case "compare":
      return await compare(question, call);
    case "list":
      return await list(question, call);
    case "hops":
      return await hops(question, call);
    case "cite":
      return await cite(question, call);
  }
}

async function find({ slots }: Question, call: CallTool): Promise<string[]> {
  const hit = await hitWith(slots.fragment ?? "", call);
  return [...(hit.authors ?? []).map(nameOf), nameOf(hit.work ?? ""), hit.locator ?? ""];
}

async function compare({ slots }: Question, call: CallTool): Promise<string[]> {
  const { topic, others } = slots;
  const filters = { topics: topic, ...(others === undefined ? {} : { authors: others }) };
  const args = { type: "quotation", filters, count_by: "authors" };
  const counts = countsIn(
    await call("list_content", others === undefined ? { ...args, limit: 5 } : args),
  );
  if (others === undefined) return [counts[0]?.name ?? "", String(counts[0]?.count ?? 0)];
  return others.map((name) => `${name}: ${counts.find((each) => each.name === name)?.count ?? 0}`);
}

async function list({ slots }: Question, call: CallTool): Promise<string[]> {
  const filters = { topics: slots.topic, authors: slots.author };
  const paths: string[] = [];
  for (let cursor: string | undefined = ""; cursor !== undefined; ) {
    const args = { type: "quotation", filters, limit: 50, ...(cursor === "" ? {} : { cursor }) };
    const page: { items: Row[]; next_cursor?: string } = JSON.parse(
      await call("list_content", args),
    );
    paths.push(...page.items.map(({ url }) => decodeURI(new URL(url).pathname)));
    cursor = page.next_cursor;
  }
  return paths.sort();
}

async function hops({ slots }: Question, call: CallTool): Promise<string[]> {
  const hit = await hitWith(slots.fragment ?? "", call);
  if (slots.topic !== undefined) {
    const filters = { authors: (hit.authors ?? []).map(addressOf), topics: slots.topic };
    const args = { type: "quotation", filters, count_by: "verification" };
    return [String(JSON.parse(await call("list_content", args)).total)];
  }
  const filters = { work: addressOf(hit.work ?? "") };
  const args = { type: "quotation", filters, count_by: "topics", limit: 3 };
  const [most] = countsIn(await call("list_content", args));
  return [most?.name ?? "", String(most?.count ?? 0)];
}

async function cite({ slots }: Question, call: CallTool): Promise<string[]> {
  const { fragment = "", style } = slots;
  const hit = await hitWith(fragment, call, { cite: style });
  const path = decodeURI(new URL(hit.url).pathname);
  return [plain(hit.text ?? ""), hit.citation ?? "", hit.locator ?? "", path];
}

/**
 * The hit that has the words. If none of the best hits has them, searches for the words in quotation marks.
 */
async function hitWith(fragment: string, call: CallTool, options: object = {}): Promise<Row> {
  const args = { types: ["quotation"], limit: 5, ...options };
  for (const query of [fragment, `"${fragment}"`]) {
    const { hits }: { hits: Row[] } = JSON.parse(await call("search_content", { query, ...args }));
    const hit = hits.find(({ text = "", snippet = "" }) =>
      plain(`${text} ${snippet}`).includes(plain(fragment)),
    );
    if (hit !== undefined) return hit;
  }
  return { url: "https://nowhere.example/" };
}

function countsIn(text: string): Counted[] {
  return JSON.parse(text).counts;
}

function nameOf(named: Named): string {
  return typeof named === "string" ? named : named.name;
}

/** How to name the item to a tool: by its name, or by its URL if the name is not enough. */
function addressOf(named: Named): string {
  return typeof named === "string" ? named : (named.url ?? named.name);
}
