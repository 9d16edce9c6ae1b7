import type { Page } from "playwright-core";
import sharp from "sharp";
import { generateTotpCode } from "../../../src/access/people/totp.ts";
import { ADMIN_ROUTES } from "../../../src/http/admin/routes.ts";
import { matchPath } from "../../../src/http/admin/screens/frame/screen.ts";
import { SCREENS } from "../../../src/http/admin/screens.ts";
import type { TaskSite } from "./task-site.ts";

/** A screen in a state in which people meet it, and the way there. */
export interface Scene {
  name: string;
  /** `stranger`: in a browser that is not signed in. */
  as?: "stranger";
  /** Whether `docs/guide` shows it. */
  isInGuide?: true;
  show(page: Page, site: TaskSite): Promise<unknown>;
}

const GARDEN = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="400"><rect width="640" height="250" fill="#bcd9ee"/><circle cx="520" cy="90" r="45" fill="#f6d35b"/><rect y="240" width="640" height="160" fill="#7fae5f"/><rect x="150" y="180" width="26" height="110" fill="#6b4a2f"/><circle cx="163" cy="150" r="75" fill="#3f7d3a"/><path d="M330 400 Q360 310 420 240 L450 240 Q430 320 460 400 Z" fill="#e3d3b0"/></svg>`;
const SAYINGS =
  "Quote,Said by,Book,Year,Note\nA garden is a long poem.,Ada Example,Letters,1902,checked\nRead it twice.,Bert Example,Essays,1911,\n";

/** Screens of people who are not signed in yet. */
const ENTERING: readonly Scene[] = [
  { name: "sign-in", as: "stranger", isInGuide: true, show: at("/admin/sign-in") },
  {
    name: "sign-in-refused",
    as: "stranger",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/sign-in`);
      await page.fill("[name=email]", "nobody@example.org");
      await page.fill("[name=password]", "not the password");
      await button(page, "Sign in").click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  { name: "setup", as: "stranger", show: at("/admin/setup") },
  { name: "claim", as: "stranger", show: at("/admin/claim") },
  { name: "provider-failed", as: "stranger", show: at("/admin/provider/failed") },
  { name: "not-signed-in", as: "stranger", show: at("/admin/desk") },
];

const WRITING: readonly Scene[] = [
  { name: "desk", isInGuide: true, show: at("/admin/desk") },
  {
    name: "write",
    isInGuide: true,
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
  {
    name: "publish",
    isInGuide: true,
    show: (page) => page.getByRole("button", { name: "Publish …" }).click(),
  },
  {
    name: "schedule",
    isInGuide: true,
    async show(page) {
      const when = page.locator("input[name=at]");
      await when.fill("2099-06-21T10:00");
      await when.scrollIntoViewIfNeeded();
    },
  },
  {
    name: "draft-scheduled",
    async show(page) {
      await button(page, "Schedule").click();
      await page.getByText("will be public").first().waitFor();
    },
  },
  {
    name: "publish-refused",
    async show(page, site) {
      await newDraft(page, site, { type: "topic", changes: { body: "Without a title." } });
      await page.getByRole("button", { name: "Publish …" }).click();
      await page.waitForURL("**/publish");
    },
  },
  {
    name: "picture",
    isInGuide: true,
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
    name: "quotation",
    isInGuide: true,
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
    name: "event",
    isInGuide: true,
    async show(page, site) {
      await newDraft(page, site, { type: "event", changes: { title: "Reading in the garden" } });
    },
  },
  {
    name: "conflict",
    isInGuide: true,
    async show(page, site) {
      const stated = { type: "topic", title: "Disputed", summary: "What we think of it." };
      const { id: itemId } = await site.item(stated);
      const changes = { summary: "What we think of it today." };
      await newDraft(page, site, { itemId, changes });
      await site.api("PATCH", `/content/${itemId}`, { summary: "What others think of it." });
      await page.getByRole("button", { name: "Publish …" }).click();
      await page.getByLabel("Take what is public now").waitFor();
    },
  },
  {
    name: "share",
    async show(page, site) {
      const { id } = await site.api("POST", "/drafts", {
        type: "page",
        changes: { title: "Shown to a friend" },
      });
      await page.goto(`${site.origin}/admin/drafts/${id}/share`);
      await page.fill("#note", "Ada, for the printed programme");
      await button(page, "Make a code").click();
      await page.locator(".code").waitFor();
    },
  },
  {
    name: "drafts",
    isInGuide: true,
    async show(page, site) {
      const changes = { title: "Our library", body: "It is open on Mondays." };
      const { id } = await site.api("POST", "/drafts", { type: "page", changes });
      const note = "Are the opening hours right?";
      await site.api("POST", `/drafts/${id}/review`, { note });
      await page.goto(`${site.origin}/admin/drafts`);
    },
  },
  {
    name: "draft-in-review",
    show: (page) => page.getByRole("link", { name: "Our library" }).first().click(),
  },
  { name: "media", isInGuide: true, show: at("/admin/media") },
  {
    name: "medium",
    show: (page) => page.getByRole("link", { name: "garden.png" }).first().click(),
  },
];

const FINDING: readonly Scene[] = [
  { name: "found", show: at("/admin/find?q=time") },
  { name: "found-nothing", isInGuide: true, show: at("/admin/find?q=zzyzx") },
  { name: "content", show: at("/admin/content") },
  { name: "content-found", show: at("/admin/content?q=time&type=quotation") },
  {
    name: "content-filtered",
    show: at("/admin/content?type=quotation&field-verification=verified&sort=year"),
  },
  {
    name: "selected-links",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/content?type=quotation`);
      for (const place of [0, 1]) await page.locator("input[name=item]").nth(place).check();
      await page.selectOption("select[name=how]", "links");
      await button(page, "Do it").click();
      await page.getByText("Links of the selected items: 2").waitFor();
    },
  },
  {
    name: "replace",
    isInGuide: true,
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/replace`);
      await page.fill("#find-text", "kind");
      await button(page, "Show what would change").click();
      await page.getByText("Items that would change").waitFor();
    },
  },
  {
    name: "withdraw",
    isInGuide: true,
    async show(page, site) {
      const { id } = await site.item({ type: "author", title: "Ada Example" });
      const relations = { authors: [{ to: id }] };
      await site.item({ type: "quotation", title: "On gardens", body: "A garden.", relations });
      await page.goto(`${site.origin}/admin/content/${id}/withdraw`);
    },
  },
  {
    name: "item",
    async show(page, site) {
      const body = "A quotation with a text, an author and a topic.";
      const { id } = await site.item({ type: "quotation", title: "On kindness", body });
      await page.goto(`${site.origin}/admin/content/${id}`);
    },
  },
  { name: "merge", show: async (page) => await page.goto(`${page.url()}/merge`) },
  {
    name: "versions",
    isInGuide: true,
    async show(page, site) {
      const stated = { type: "topic", title: "Gardens", summary: "On green places." };
      const { id } = await site.item(stated);
      await site.api("PATCH", `/content/${id}`, { summary: "On places." });
      await page.goto(`${site.origin}/admin/content/${id}`);
      await page.getByRole("link", { name: "Version 1", exact: true }).click();
    },
  },
  {
    name: "trash",
    async show(page, site) {
      const { id } = await site.item({ type: "topic", title: "Thrown away" });
      await site.api("DELETE", `/content/${id}`);
      await page.goto(`${site.origin}/admin/trash`);
    },
  },
];

const VISITORS: readonly Scene[] = [
  {
    name: "request-list",
    async show(page, site) {
      await site.askForKey("Ada Example");
      await page.goto(`${site.origin}/admin/requests`);
    },
  },
  {
    name: "requests",
    isInGuide: true,
    show: (page) => page.getByRole("link", { name: "Ada Example" }).click(),
  },
  {
    name: "request-approved",
    async show(page) {
      await button(page, "Approve").click();
      await page.locator(".code").waitFor();
    },
  },
  { name: "messages", show: at("/admin/messages") },
  { name: "keys", isInGuide: true, show: at("/admin/keys") },
  { name: "insight", show: at("/admin/insight") },
];

const RUNNING: readonly Scene[] = [
  { name: "appearance", show: at("/admin/appearance") },
  { name: "home", show: at("/admin/home") },
  {
    name: "languages",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/languages`);
      await page.fill("#added", "fr");
      await button(page, "Add this language").click();
      await page.locator("main summary").first().click();
    },
  },
  { name: "navigation", show: at("/admin/navigation") },
  { name: "settings", show: at("/admin/settings") },
  {
    name: "settings-refused",
    async show(page) {
      await page.fill("#email", "not an address");
      // Browsers that check fields themselves would not send it.
      await page.locator("main form").evaluateAll((forms) => {
        for (const form of forms) form.setAttribute("novalidate", "");
      });
      await button(page, "Save").click();
      await page.getByRole("alert").first().waitFor();
    },
  },
  { name: "view", show: at("/admin/view") },
  { name: "types", show: at("/admin/types") },
  { name: "type", show: at("/admin/types/event") },
  { name: "people", show: at("/admin/people") },
  {
    name: "invite",
    isInGuide: true,
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/people`);
      await page.fill("#name", "Bert Example");
      await page.fill("#email", "bert@example.org");
    },
  },
  {
    name: "invited",
    async show(page) {
      await page.getByRole("button", { name: "Invite" }).click();
      await page.locator(".code").waitFor();
    },
  },
  { name: "personal-data", show: at("/admin/personal-data") },
  {
    name: "personal-data-found",
    async show(page) {
      await page.fill("#email", "bert@example.org");
      await page.locator("main form button").first().click();
      await page.getByText("Kept under this address").first().waitFor();
    },
  },
  {
    name: "redirects",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/redirects`);
    },
  },
  {
    name: "old addresses",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/redirects/check`);
      await page.fill("[name=list]", "/\n/about\n/gone.html\n/?p=99\nno address");
      await button(page, "Check").click();
      await page.getByText("/gone.html").first().waitFor();
    },
  },
  { name: "links", show: at("/admin/links") },
  {
    name: "table",
    isInGuide: true,
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
  { name: "jobs", show: at("/admin/jobs") },
  {
    name: "webhook-added",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/webhooks`);
      await page.fill("#url", "https://hooks.example.org/commonplace");
      await page.locator("main form button").last().click();
      await page.locator(".code").waitFor();
    },
  },
  { name: "webhooks", show: at("/admin/webhooks") },
  {
    name: "webhook",
    show: (page) => page.getByRole("link", { name: /hooks\.example\.org/ }).click(),
  },
  { name: "health", show: at("/admin/health") },
  { name: "audit", show: at("/admin/audit") },
  { name: "account", show: at("/admin/account") },
  { name: "account-second-factor", show: at("/admin/account/second-factor") },
  { name: "confirm", show: at("/admin/confirm") },
  { name: "missing", show: at("/admin/nothing-here") },
];

const TOTP_STEP_SECONDS = 30;
const INVITED = { name: "Cleo", email: "cleo@example.org" };
const INVITED_PASSWORD = "three quiet rooms upstairs";

/** A person who is invited sets up a second factor and signs in with it. */
const SECOND_FACTOR: readonly Scene[] = [
  {
    name: "second-factor-setup",
    as: "stranger",
    async show(page, site) {
      const invitation = { ...INVITED, role: "contributor", showCode: true };
      const { code } = await site.api("POST", "/admins", invitation);
      await page.goto(`${site.origin}/admin/claim`);
      await page.fill("[name=code]", code);
      await page.fill('[name="new-password"]', INVITED_PASSWORD);
      await button(page, "Save").click();
      await page.waitForURL("**/admin/desk");
      await page.goto(`${site.origin}/admin/account`);
      await button(page, "Set up an authenticator app").click();
      await page.waitForURL("**/second-factor");
    },
  },
  {
    name: "recovery-codes",
    as: "stranger",
    async show(page) {
      const secret = (await page.locator("p.code").textContent())?.trim() ?? "";
      const step = Math.floor(Date.now() / 1000 / TOTP_STEP_SECONDS);
      await page.fill("[name=code]", generateTotpCode(secret, step));
      await page.locator("main form button").first().click();
      await page.locator("main li code").first().waitFor();
    },
  },
  {
    name: "second-factor",
    as: "stranger",
    async show(page, { origin }) {
      await page.goto(`${origin}/admin/account`);
      await button(page, "Sign out").click();
      await page.fill("[name=email]", INVITED.email);
      await page.fill("[name=password]", INVITED_PASSWORD);
      await button(page, "Sign in").click();
      await page.waitForURL("**/second-factor");
    },
  },
];

/** Every screen of the administrators. Later scenes may use what earlier ones made. */
export const SCENES: readonly Scene[] = [
  ...ENTERING,
  ...WRITING,
  ...FINDING,
  ...VISITORS,
  ...RUNNING,
  ...SECOND_FACTOR,
];

/** Answers that are no screens of their own: they are parts of others, files, or lead on. */
const NO_SCREENS = new Set([
  "/admin/names",
  "/admin/drafts/{id}/preview",
  "/admin/media/pick",
  "/admin/media/files/{name}",
  "/admin/jobs/{id}/progress",
  "/admin/provider",
  "/admin/provider/callback",
]);

/** Paths of the screens that are not among these addresses. */
export function unseenScreens(pathnames: ReadonlySet<string>): string[] {
  return [...SCREENS, ...ADMIN_ROUTES]
    .filter(({ method, path }) => method === "GET" && !NO_SCREENS.has(path))
    .map(({ path }) => path)
    .filter((path) => ![...pathnames].some((pathname) => matchPath(path, pathname) !== null));
}

function at(path: string): Scene["show"] {
  return async (page, { origin }) => await page.goto(origin + path);
}

async function newDraft(page: Page, site: TaskSite, stated: object): Promise<void> {
  const { id } = await site.api("POST", "/drafts", stated);
  await page.goto(`${site.origin}/admin/drafts/${id}`);
}

function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}
