/**
 * Replaces the package's own types, which declare a default export that the module does not have.
 */
declare module "robots-parser" {
  interface Rules {
    /** Undefined for an address of another site. */
    isAllowed(url: string, robot: string): boolean | undefined;
    /** The delay between two requests, in seconds. */
    getCrawlDelay(robot: string): number | undefined;
    getSitemaps(): string[];
  }
  function robotsParser(url: string, text: string): Rules;
  export = robotsParser;
}
