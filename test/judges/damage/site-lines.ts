import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sendTo } from "../../support/send-to.ts";
import { withoutTokens } from "./differences.ts";
import { openService } from "./store.ts";

const LIST_PAGES = 200;
const LISTS = ["/quotations", "/topics", "/authors", "/works"];

/** Each line that the undamaged site shows on any page of an item or a list. */
export async function allLines(file: string): Promise<Set<string>> {
  using db = new DatabaseSync(file, { readOnly: true });
  const items = db.prepare("SELECT path FROM reading_item").all();
  db.close();
  await using app = await openService(dirname(file), () => {});
  const lines = new Set<string>();
  const add = async (path: string): Promise<boolean> => {
    const answer = await sendTo(app.http, path, { headers: { accept: "text/html" } });
    if (answer.status !== 200) return false;
    for (const line of linesOf(await answer.text())) lines.add(line);
    return true;
  };
  for (const { path } of items) {
    await add(String(path));
    if (path !== "/") await add(`${path}.md`);
  }
  for (const list of LISTS) {
    for (let page = 1; page <= LIST_PAGES; page += 1)
      if (!(await add(`${list}?page=${page}`))) break;
  }
  return lines;
}

/** The lines of an answer; entries of structured data are lines of their own, without their positions. */
export function linesOf(text: string): string[] {
  return withoutTokens(text)
    .split("\n")
    .flatMap((line) =>
      line.includes("application/ld+json")
        ? line
            .replaceAll(/"position":\d+,?/g, "")
            .split(/(?<=\[)(?=\{)|(?<=\}),(?=\{)|(?<=\})(?=\])/)
        : [line],
    );
}
