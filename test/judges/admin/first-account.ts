import type { BrowserContext } from "playwright-core";
import type { DemoServer } from "../demo-server.ts";

export const FIRST_ACCOUNT = { email: "anna@example.org", password: "a few words in a row" };

/** Sets up the first account with the code that the server wrote to a file, and stays signed in. */
export async function setUpFirstAccount(
  context: BrowserContext,
  { origin, setupCode }: Pick<DemoServer, "origin" | "setupCode">,
): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/admin/setup`);
  await page.fill("[name=code]", await setupCode());
  await page.fill("[name=email]", FIRST_ACCOUNT.email);
  await page.fill("[name=name]", "Anna");
  await page.fill('[name="new-password"]', FIRST_ACCOUNT.password);
  await page.click("button");
  await page.waitForURL("**/admin/desk");
  await page.close();
}

/** Signs the first account in. */
export async function signIn(context: BrowserContext, origin: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/admin/sign-in`);
  await page.fill("[name=email]", FIRST_ACCOUNT.email);
  await page.fill("[name=password]", FIRST_ACCOUNT.password);
  await page.getByRole("button", { name: "Sign in" }).first().click();
  await page.waitForURL((url) => !url.pathname.endsWith("/sign-in"));
  await page.close();
}
