const IS_SOURCE = import.meta.url.endsWith(".ts");

/**
 * How people run the command, for use in messages. The repository and site folders have an npm script that
 * reads the folder's settings. Elsewhere npx needs the package name: `npx commonplace` would fetch another
 * package.
 *
 * @param npmScript the value of `npm_lifecycle_event`, which npm sets.
 */
export function commandName(npmScript: string | undefined): string {
  if (npmScript === "npx") return "npx commonplace-server";
  return npmScript === undefined && !IS_SOURCE ? "commonplace" : "npm run -s commonplace --";
}
