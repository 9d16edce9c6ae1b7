import { largePng } from "../../support/media-bytes.ts";
import type { Hand } from "./hand.ts";
import { IMPORT_TASK } from "./import-task.ts";
import { button, DESK, type Task } from "./task.ts";

const NEW_QUOTATIONS = [1, 2, 3, 4, 5];

export const TASKS: readonly Task[] = [
  {
    name: "publish a corrected quotation",
    from: "list of what was found",
    actionsMax: 4,
    async prepare(site, word) {
      const title = `Crooked timber ${word}`;
      const { path } = await site.item({
        type: "quotation",
        title,
        body: "Nothing strait was made.",
      });
      await site.known(title);
      const body = "Nothing straight was made.";
      return {
        path: `/admin/find?${new URLSearchParams({ q: title })}`,
        async perform(hand) {
          await hand.press(button(hand, `Edit “${title}”`));
          await hand.type(hand.page.locator("#body"), body);
          await publish(hand);
        },
        isDone: async () => (await site.publicText(path)).includes(body),
      };
    },
  },
  {
    name: "new topic with five quotations",
    from: "desk",
    actionsMax: 11,
    async prepare(site, word) {
      const quotations = NEW_QUOTATIONS.map((number) => `Star ${number} ${word}`);
      for (const title of quotations) await site.item({ type: "quotation", title, body: title });
      for (const title of quotations) await site.known(title);
      const title = `Starlight ${word}`;
      return {
        path: DESK,
        async perform(hand) {
          await hand.press(button(hand, "Topic").first());
          await hand.type(hand.page.locator("#title"), title);
          await publish(hand);
          await pickAll(hand, quotations);
          await hand.press(button(hand, "Add the links"));
          await hand.page.waitForSelector(".tag.published");
        },
        async isDone() {
          const page = await site.publicText(`/topics/starlight-${word}`);
          return quotations.every((each) => page.includes(each));
        },
      };
    },
  },
  {
    name: "schedule",
    from: "desk",
    actionsMax: 5,
    async prepare(site, word) {
      const title = `Spring ${word}`;
      const { id } = await site.api("POST", "/drafts", { type: "page", changes: { title } });
      return {
        path: DESK,
        async perform(hand) {
          await hand.press(hand.page.getByRole("link", { name: title, exact: true }));
          await hand.press(button(hand, "Publish …"));
          await hand.type(hand.page.locator("input[name=at]"), "2099-05-01T10:00");
          await hand.press(button(hand, "Schedule"));
          await hand.page.getByText("will be public").first().waitFor();
        },
        isDone: async () => (await site.api("GET", `/drafts/${id}`)).publishAt !== null,
      };
    },
  },
  {
    name: "withdraw with references",
    from: "desk",
    actionsMax: 6,
    async prepare(site, word) {
      const title = `Wanderer ${word}`;
      const { id, path } = await site.item({ type: "author", title });
      const relations = { authors: [{ to: id }] };
      await site.item({ type: "quotation", title: `By ${word}`, body: "Gone.", relations });
      await site.known(title);
      return {
        path: DESK,
        async perform(hand) {
          await hand.find(title);
          await hand.press(hand.page.getByRole("link", { name: title, exact: true }));
          await hand.press(hand.page.getByRole("link", { name: "Withdraw or delete…" }));
          await hand.page.getByText("Pointing to it: 1").waitFor();
          await hand.press(hand.page.locator("input[value=gone]"));
          await hand.press(button(hand, "Do what is chosen"));
          await hand.page.waitForSelector(".tag.archived");
        },
        isDone: async () => (await fetch(site.origin + path)).status === 410,
      };
    },
  },
  {
    name: "approve a key request",
    from: "desk",
    actionsMax: 3,
    async prepare(site, word) {
      const name = `Requester ${word}`;
      await site.askForKey(name);
      return {
        path: DESK,
        async perform(hand) {
          await hand.press(hand.page.getByRole("link", { name: /^Key requests to answer/ }));
          await hand.press(hand.page.getByRole("link", { name }));
          await hand.press(button(hand, "Approve"));
          await hand.page.waitForSelector(".code");
        },
        async isDone() {
          const { items } = await site.api("GET", "/key-requests");
          return items.some(
            (each: { name: string; state: string }) =>
              each.name === name && each.state === "approved",
          );
        },
      };
    },
  },
  {
    name: "rotate a key",
    from: "desk",
    actionsMax: 5,
    async prepare(site, word) {
      const name = `Agent ${word}`;
      const { id } = await site.api("POST", "/keys", { name, scopes: ["mcp:read"] });
      return {
        path: DESK,
        async perform(hand) {
          await hand.goTo("Keys");
          const card = hand.page.locator("li", { has: hand.page.getByText(name, { exact: true }) });
          await hand.press(card.getByRole("button", { name: "Replace" }));
          await hand.page.waitForSelector(".code");
        },
        async isDone() {
          const { items } = await site.api("GET", "/keys?limit=100");
          return items.some((each: { rotatedFrom: string | null }) => each.rotatedFrom === id);
        },
      };
    },
  },
  {
    name: "restore a revision",
    from: "desk",
    actionsMax: 5,
    async prepare(site, word) {
      const title = `Restored ${word}`;
      const { id } = await site.item({ type: "topic", title, summary: "As it was." });
      await site.api("PATCH", `/content/${id}`, { summary: "Spoiled." });
      await site.known(title);
      return {
        path: DESK,
        async perform(hand) {
          await hand.find(title);
          await hand.press(hand.page.getByRole("link", { name: title, exact: true }));
          await hand.press(hand.page.getByRole("link", { name: "Version 1", exact: true }));
          await hand.press(button(hand, "Restore this version"));
          await hand.page.getByRole("link", { name: "Version 3", exact: true }).waitFor();
        },
        isDone: async () => (await site.api("GET", `/content/${id}`)).summary === "As it was.",
      };
    },
  },
  {
    name: "resolve a conflict",
    from: "editor",
    actionsMax: 3,
    async prepare(site, word) {
      const title = `Disputed ${word}`;
      const { id: itemId } = await site.item({ type: "topic", title, summary: "Before." });
      const { id } = await site.api("POST", "/drafts", { itemId, changes: { summary: "Mine." } });
      await site.api("PATCH", `/content/${itemId}`, { summary: "Theirs." });
      return {
        path: `/admin/drafts/${id}`,
        async perform(hand) {
          await hand.press(button(hand, "Publish …"));
          await hand.press(hand.page.getByLabel("Take what is public now"));
          await hand.press(button(hand, "Go on with this choice"));
          await button(hand, "Publish now").waitFor();
        },
        async isDone() {
          const draft = await site.api("GET", `/drafts/${id}`);
          return !JSON.stringify(draft).includes("Mine.");
        },
      };
    },
  },
  {
    name: "picture with alternative text",
    from: "editor",
    actionsMax: 3,
    async prepare(site, word) {
      const name = `lamp-${word}.png`;
      const { path } = await site.upload(name, new Uint8Array(largePng(64, 48, Buffer.from(word))));
      const { id } = await site.api("POST", "/drafts", {
        type: "page",
        changes: { title: `Lamp ${word}` },
      });
      const words = `A lamp, ${word}`;
      return {
        path: `/admin/drafts/${id}`,
        async perform(hand) {
          const { page } = hand;
          await hand.press(button(hand, hand.way === "no scripts" ? "Add a picture" : "Picture"));
          const isPage = hand.way === "no scripts";
          await hand.press(isPage ? page.getByRole("link", { name }) : button(hand, name));
          if (isPage) {
            await hand.type(page.locator("#alt"), words);
            await hand.press(button(hand, "Insert"));
            await page.locator("#body").waitFor();
          } else {
            await hand.typeAndEnter(page.locator(".pictures form textarea"), words);
          }
        },
        async isDone() {
          const draft = await site.api("GET", `/drafts/${id}`);
          return JSON.stringify(draft).includes(`![${words}](${path})`);
        },
      };
    },
  },
  {
    name: "create what was searched in vain",
    from: "desk",
    actionsMax: 4,
    async prepare(site, word) {
      const asked = `zyxomma${word}`;
      await site.searchInVain(asked);
      return {
        path: DESK,
        async perform(hand) {
          const form = hand.page.getByRole("form", { name: `Create “Zyxomma${word}” as` });
          await hand.press(form.getByRole("button", { name: "Page", exact: true }));
          await hand.type(hand.page.locator("#body"), "A dragonfly.");
          await publish(hand);
        },
        isDone: async () => (await site.publicText(`/zyxomma${word}`)).includes("A dragonfly."),
      };
    },
  },
  {
    name: "invite an editor",
    from: "desk",
    actionsMax: 6,
    async prepare(site, word) {
      const email = `${word}@example.org`;
      return {
        path: DESK,
        async perform(hand) {
          await hand.goTo("People");
          await hand.type(hand.page.locator("#name"), `Editor ${word}`);
          await hand.typeAndEnter(hand.page.locator("#email"), email);
          await hand.page.waitForSelector(".code");
        },
        async isDone() {
          const { items } = await site.api("GET", "/admins?limit=100");
          return items.some(
            (each: { email: string; role: string }) =>
              each.email === email && each.role === "editor",
          );
        },
      };
    },
  },
  IMPORT_TASK,
];

async function publish(hand: Hand): Promise<void> {
  await hand.press(button(hand, "Publish …"));
  await hand.pressTwice(button(hand, "Publish now"));
  await hand.page.waitForSelector(".tag.published");
}

/** Links quotations by name: one after the other in the picker, or as lines without scripts. */
async function pickAll(hand: Hand, names: readonly string[]): Promise<void> {
  const field = hand.page.locator('[data-picker="quotation.topics"]');
  if (hand.way === "no scripts") {
    await hand.type(field.locator("textarea"), names.join("\n"));
    return;
  }
  for (const name of names) {
    await hand.typeAndEnter(field.getByRole("combobox"), name);
    await field.locator(".choice", { hasText: name }).waitFor();
  }
}
