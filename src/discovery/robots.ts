import type { DiscoveryDocument } from "./document.ts";

/** Crawlers that collect training data. */
const TRAINING_BOTS = [
  "GPTBot",
  "ClaudeBot",
  "CCBot",
  "Google-Extended",
  "Applebot-Extended",
  "Bytespider",
  "meta-externalagent",
];

/** Crawlers that build search indexes for agents, and fetchers that act for a person. */
const SEARCH_BOTS = [
  "OAI-SearchBot",
  "ChatGPT-User",
  "Claude-SearchBot",
  "Claude-User",
  "PerplexityBot",
  "Perplexity-User",
];

/**
 * The rules for crawlers (RFC 9309), with the Content-Signal line (contentsignals.org). Each group
 * repeats the rules, because a crawler with a group of its own ignores the group for `*`. Omits
 * other directives, because validators report them as errors.
 */
export const robotsTxt: DiscoveryDocument = {
  name: "robots.txt",
  paths: ["/robots.txt"],
  contentType: "text/plain; charset=utf-8",
  render({ reading, origin }) {
    const { search, aiInput, aiTrain } = reading.site().contentSignal;
    const rules = [
      `Content-Signal: search=${search}, ai-input=${aiInput}, ai-train=${aiTrain}`,
      "Allow: /",
    ];
    const groups = [["*"], TRAINING_BOTS, SEARCH_BOTS].map((bots) =>
      [...bots.map((bot) => `User-agent: ${bot}`), ...rules].join("\n"),
    );
    return `${groups.join("\n\n")}\n\nSitemap: ${origin}/sitemap.xml\n`;
  },
};
