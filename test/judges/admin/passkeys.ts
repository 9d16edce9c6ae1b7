import type { Browser, Page } from "playwright-core";
import type { DemoServer } from "../demo-server.ts";
import type { Verdict } from "../verdict.ts";
import { axeFaults, overflow, type WatchedContext, watchContext } from "./browser.ts";
import { FIRST_ACCOUNT } from "./first-account.ts";
import type { Secrets } from "./secrets.ts";

/** The most keys that may be pressed to reach a button. */
const TABS_MAX = 60;

/** Adds a passkey on a phone, signs out, and signs in with it by keyboard alone. Uses a virtual device. */
export async function judgePasskeys(
  browser: Browser,
  server: DemoServer,
  secrets: Secrets,
): Promise<{ verdicts: Verdict[]; watched: WatchedContext }> {
  const { origin } = server;
  const watched = await watchContext(browser, { viewport: { width: 360, height: 740 } }, secrets);
  const page = await watched.context.newPage();
  await addDevice(page);
  await page.goto(`${origin}/admin/sign-in`);
  await page.fill("[name=email]", FIRST_ACCOUNT.email);
  await page.fill("[name=password]", FIRST_ACCOUNT.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/admin/desk");
  const faults: string[] = [];
  await page.goto(`${origin}/admin/account`);
  await page.fill("form[data-passkey] [name=name]", "Phone");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.waitForURL("**/admin/account?saved=true");
  await look(page, faults);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/admin/sign-in");
  await look(page, faults);
  await pressButton(page, "Sign in with a passkey");
  await page.waitForURL("**/admin/desk");
  await page.goto(`${origin}/admin/account`);
  await page.getByRole("button", { name: "Remove “Phone”" }).click();
  await page.getByRole("button", { name: "Remove “Phone”" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/admin/sign-in");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  const refused = await page.locator("main [role=alert]:visible").first().textContent();
  return {
    watched,
    verdicts: [
      {
        what: "a passkey is added at 360 px, and signs in by keyboard",
        passed: faults.length === 0,
        detail: faults[0] ?? "axe 0, light and dark",
      },
      {
        what: "a passkey that was removed does not sign in",
        passed: refused?.startsWith("This passkey does not sign in here") === true,
        detail: refused ?? "no message",
      },
    ],
  };
}

/** A device with a screen lock, which the person always unlocks. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Uses a separate tab, because the session of axe ends the virtual device of the page that it examines. */
async function look(page: Page, faults: string[]): Promise<void> {
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  for (const colorScheme of ["light", "dark"] as const) {
    await tab.emulateMedia({ colorScheme });
    faults.push(...(await axeFaults(tab)));
    if ((await overflow(tab)) > 0) faults.push(`${tab.url()} is wider than its window`);
  }
  await tab.close();
  await page.bringToFront();
}

async function pressButton(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name });
  for (let tabs = 0; tabs < TABS_MAX; tabs += 1) {
    if (await button.evaluate((element) => element.matches(":focus"))) break;
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
}
