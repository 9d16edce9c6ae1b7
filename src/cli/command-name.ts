const IS_SOURCE = import.meta.url.endsWith(".ts");

/**
 * How people run the command: the repository and site folders have a script, which reads the settings of the folder.
 * In an empty folder the package has to be named, as npx would fetch another one called `commonplace`.
 *
 * @param npmScript what npm runs, as it says in `npm_lifecycle_event`.
 */
export function commandName(npmScript: string | undefined): string {
  if (npmScript === "npx") return "npx commonplace-server";
  return npmScript === undefined && !IS_SOURCE ? "commonplace" : "npm run -s commonplace --";
}
