import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { withoutTokens } from "./differences.ts";
import { openService, type Question } from "./store.ts";

/** The answers of a copy of a store in which only these items are damaged, by question. */
export async function answersWithout(
  items: ReadonlySet<string>,
  { file, folder, questions }: { file: string; folder: string; questions: readonly Question[] },
): Promise<Map<string, string>> {
  mkdirSync(folder);
  const copy = join(folder, "commonplace.db");
  copyFileSync(file, copy);
  using db = new DatabaseSync(copy);
  const damage = db.prepare("UPDATE items SET hash = hash + 1 WHERE id = ?");
  for (const id of items) damage.run(id);
  // As if another version had made the reading copy, so that it is made again.
  db.exec("UPDATE reading_made SET version = 0");
  db.close();
  await using app = await openService(folder, () => {});
  const answers = new Map<string, string>();
  for (const question of questions) {
    const answer = await question.ask(app);
    const text = withoutTokens(await answer.text());
    if (answer.status === 200) answers.set(question.name, text);
  }
  return answers;
}
