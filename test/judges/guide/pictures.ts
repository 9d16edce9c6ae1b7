import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { setUpFirstAccount } from "../admin/first-account.ts";
import { openTaskSite, type TaskSite } from "../admin/task-site.ts";
import type { DemoServer } from "../demo-server.ts";

const SIZE = { width: 900, height: 640 };
const QUALITY = 70;
/** Generous for busy machines. */
const SHOWN_WITHIN_MS = 180_000;
const GARDEN = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="250" fill="#bcd9ee"/><circle cx="520" cy="90" r="45" fill="#f6d35b"/><rect y="240" width="640" height="160" fill="#7fae5f"/><rect x="150" y="180" width="26" height="110" fill="#6b4a2f"/><circle cx="163" cy="150" r="75" fill="#3f7d3a"/><path d="M330 400 Q360 310 420 240 L450 240 Q430 320 460 400 Z" fill="#e3d3b0"/></svg>`;

const SAYINGS =
  "Quote,Said by,Book,Year,Note\nA garden is a long poem.,Ada Example,Letters,1902,checked\nRead it twice.,Bert Example,Essays,1911,\n";

/** A picture of the guide, and how to reach what it shows. */
interface Scene {
  file: string;
  show(page: Page, site: TaskSite): Promise<unknown>;
}

/** The pictures of docs/guide. Later scenes may use what earlier ones made. */
const SCENES: readonly Scene[] = [
  { file: "desk", show: (page, { origin }) => page.goto(`${origin}/admin/desk`) },
  {
    file: "write",
    async show(page, site) {
      await newDraft(page, site, {
        type: "page",
        changes: {
          title: "Summer party",
          body: "## Programme\n\nWe meet **at noon** in the garden of the library.\n\n> Bring a friend and a poem.\n",
        },
      });
    },
  },
  { file: "publish", show: (page) => page.getByRole("button", { name: "Publish …" }).click() },
  {
    file: "schedule",
    async show(page) {
      const at = page.locator("input[name=at]");
      await at.fill("2099-06-21T10:00");
      await at.scrollIntoViewIfNeeded();
    },
  },
  {
    file: "picture",
    async show(page, site) {
      const garden = await sharp(Buffer.from(GARDEN)).png().toBuffer();
      await site.upload("garden.png", new Uint8Array(garden));
      await newDraft(page, site, { type: "page", changes: { title: "The garden" } });
      await button(page, "Picture").click();
      await button(page, "garden.png").click();
      await page.locator(".pictures form textarea").fill("The garden of the library in June.");
    },
  },
  {
    file: "quotation",
    async show(page, site) {
      const body = "Kindness is the golden chain by which society is bound together.";
      const changes = { title: "The golden chain", body };
      await newDraft(page, site, { type: "quotation", changes });
      const field = page.locator("[data-picker=topics]");
      await field.getByRole("combobox").fill("time");
      await page.getByRole("option").first().waitFor();
      await field.scrollIntoViewIfNeeded();
    },
  },
  {
    file: "withdraw",
    async show(page, site) {
      const { id } = await site.item({ type: "author", title: "Ada Example" });
      const relations = { authors: [{ to: id }] };
      await site.item({ type: "quotation", title: "On gardens", body: "A garden.", relations });
      await page.goto(`${site.origin}/admin/content/${id}/withdraw`);
    },
  },
  {
    file: "requests",
    async show(page, site) {
      await site.askForKey("Ada Example");
      await page.goto(`${site.origin}/admin/requests`);
      await page.getByRole("link", { name: "Ada Example" }).click();
    },
  },
  {
    file: "conflict",
    async show(page, site) {
      const stated = { type: "topic", title: "Disputed", summary: "What we think of it." };
      const { id: itemId } = await site.item(stated);
      const changes = { summary: "What we think of it today." };
      await newDraft(page, site, { itemId, changes });
      await site.api("PATCH", `/content/${itemId}`, { summary: "What others think of it." });
      await button(page, "Publish …").click();
      await page.getByLabel("Take what is public now").waitFor();
    },
  },
  {
    file: "versions",
    async show(page, site) {
      const stated = { type: "topic", title: "Gardens", summary: "On green places." };
      const { id } = await site.item(stated);
      await site.api("PATCH", `/content/${id}`, { summary: "On places." });
      await page.goto(`${site.origin}/admin/content/${id}`);
      await page.getByRole("link", { name: "Version 1", exact: true }).click();
    },
  },
  {
    file: "table",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/jobs`);
      const buffer = Buffer.from(SAYINGS);
      await page.setInputFiles("#file", { name: "sayings.csv", mimeType: "text/csv", buffer });
      await button(page, "Check the file").click();
      await button(page, "Import now").waitFor();
      await page
        .getByText("How the table was read")
        .evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    file: "invite",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/people`);
      await page.fill("#name", "Bert Example");
      await page.fill("#email", "bert@example.org");
    },
  },
];

/** Makes the pictures of the guide in a folder, as small WebP files. */
export async function photographGuide(
  browser: Browser,
  server: DemoServer,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const context = await browser.newContext({ viewport: SIZE, locale: "en-GB" });
  context.setDefaultTimeout(SHOWN_WITHIN_MS);
  await setUpFirstAccount(context, server);
  const entry = await browser.newPage({ viewport: SIZE, locale: "en-GB" });
  await entry.goto(`${server.origin}/admin/sign-in`);
  await keep(entry, join(folder, "sign-in.webp"));
  await entry.close();
  const site = await openTaskSite(server);
  const page = await context.newPage();
  for (const { file, show } of SCENES) {
    await show(page, site);
    await page.waitForLoadState("networkidle");
    await keep(page, join(folder, `${file}.webp`));
  }
  await context.close();
}

async function newDraft(page: Page, site: TaskSite, stated: object): Promise<void> {
  const { id } = await site.api("POST", "/drafts", stated);
  await page.goto(`${site.origin}/admin/drafts/${id}`);
}

function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

async function keep(page: Page, file: string): Promise<void> {
  await sharp(await page.screenshot())
    .webp({ quality: QUALITY })
    .toFile(file);
}
