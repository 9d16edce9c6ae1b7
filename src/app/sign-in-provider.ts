import type { SignInProvider } from "../access/people/sign-in-provider.ts";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";

/** The configured sign-in provider; null if none is configured. Its library is loaded on first use. */
export function openSignInProvider(
  { openId, origin }: Pick<Config, "openId" | "origin">,
  log: Log,
): SignInProvider | null {
  if (openId === null) return null;
  const redirectUri = `${origin}/admin/provider/callback`;
  let opening: Promise<SignInProvider> | null = null;
  const open = async () => {
    opening ??= import("../openid/provider.ts").then(({ createOpenIdProvider: openIdProvider }) =>
      openIdProvider({ ...openId, redirectUri, log }),
    );
    return await opening;
  };
  return {
    name: new URL(openId.issuer).host,
    begin: async () => await (await open()).begin(),
    finish: async (callback, pending) => await (await open()).finish(callback, pending),
  };
}
