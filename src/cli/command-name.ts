const IS_SOURCE = import.meta.url.endsWith(".ts");

/**
 * How to run `commonplace`, for use in messages. With npx, by the package name: `npx commonplace`
 * would fetch another package. In the repository or a site folder, by its npm script, which reads
 * the folder's settings.
 *
 * @param npmScript the value of `npm_lifecycle_event`, which npm sets.
 */
export function commandName(npmScript: string | undefined): string {
  if (npmScript === "npx") return "npx commonplace-server";
  return npmScript === undefined && !IS_SOURCE ? "commonplace" : "npm run -s commonplace --";
}
