const IS_SOURCE = import.meta.url.endsWith(".ts");

/**
 * Returns how to run `commonplace`, for use in messages. With npx, the name is that of the npm package,
 * because `npx commonplace` would fetch another package. In the repository or a site folder, the command runs
 * through an npm script, which reads the folder's settings.
 *
 * @param npmScript the value of `npm_lifecycle_event`, which npm sets.
 */
export function commandName(npmScript: string | undefined): string {
  if (npmScript === "npx") return "npx commonplace-server";
  return npmScript === undefined && !IS_SOURCE ? "commonplace" : "npm run -s commonplace --";
}
