import { ACCOUNT_ROUTES } from "./account.ts";
import type { AdminRoute } from "./admin-route.ts";
import { PROVIDER_ROUTES } from "./provider.ts";
import { SIGN_IN_ROUTES } from "./sign-in.ts";

/** Every route below `/admin` that is not a screen. Routing and the access tests use this list. */
export const ADMIN_ROUTES: readonly AdminRoute[] = [
  ...SIGN_IN_ROUTES,
  ...PROVIDER_ROUTES,
  ...ACCOUNT_ROUTES,
];
