import { setTimeout as wait } from "node:timers/promises";
import type { Hand } from "./hand.ts";
import { button, DESK, type Task } from "./task.ts";

/** As long as a person waits. */
const REFRESH_AFTER_MS = 2000;

/** Takes in a table of quotations as a volunteer keeps it, after a dry run. */
export const IMPORT_TASK: Task = {
  name: "import a table after a dry run",
  from: "desk",
  actionsMax: 4,
  async prepare(site, word) {
    const line = `Patience ${word} is bitter, but its fruit is sweet`;
    const table = `Quotation,Author\n"${line}.",Ada ${word}\n"${line}, they say.",Ada ${word}\n`;
    return {
      path: DESK,
      async perform(hand) {
        await hand.goTo("Import and export");
        await hand.chooseFile(hand.page.locator("#file"), {
          name: `lines-${word}.csv`,
          text: table,
        });
        await hand.press(button(hand, "Check the file"));
        await untilEnded(hand);
        const checked = hand.page.url();
        await hand.press(button(hand, "Import now"));
        await hand.page.waitForURL((url) => url.href !== checked);
        await untilEnded(hand);
      },
      async isDone() {
        const path = `/content/names?${new URLSearchParams({ q: line })}`;
        const { items } = await site.api("GET", path);
        return items.filter(({ title }: { title: string }) => title.startsWith(line)).length === 2;
      },
    };
  },
};

/** Waits for the end of the import that the page shows. */
async function untilEnded(hand: Hand): Promise<void> {
  const ended = hand.page.locator('[data-progress=""]');
  const running = hand.page.locator("progress");
  await ended.or(running).first().waitFor();
  while (hand.way === "no scripts" && !(await ended.isVisible())) {
    await wait(REFRESH_AFTER_MS);
    await hand.press(hand.page.getByRole("link", { name: "Refresh" }));
  }
  await ended.waitFor();
}
