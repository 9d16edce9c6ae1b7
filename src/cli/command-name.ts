/**
 * How people run the command: the npm package installs a program of that name, the repository has a
 * script.
 */
export const COMMAND = import.meta.url.endsWith(".ts")
  ? "npm run -s commonplace --"
  : "npx commonplace";
