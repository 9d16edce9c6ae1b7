/** The last day on which each release line of Node gets security updates (github.com/nodejs/Release). */
export const NODE_END_OF_LIFE_DATES: Readonly<Record<string, string>> = {
  24: "2028-04-30",
  25: "2026-06-01",
  26: "2029-04-30",
};
