/**
 * The headers that clients send. Those of Chromium 156 and Node 26 are recorded, the others as documented.
 */
export const CHROME = {
  "sec-ch-ua": '"Not:A-Brand";v="8", "Chromium";v="156"',
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Linux"',
  "upgrade-insecure-requests": "1",
  "user-agent":
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36",
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/jxl,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  "sec-fetch-site": "none",
  "sec-fetch-mode": "navigate",
  "sec-fetch-user": "?1",
  "sec-fetch-dest": "document",
  "accept-encoding": "gzip, deflate, br, zstd",
  "accept-language": "en-US,en;q=0.9",
};

export const GOOGLEBOT = {
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  from: "googlebot(at)googlebot.com",
  "user-agent":
    "Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "accept-encoding": "gzip, deflate, br",
};

/** Added by Node's fetch itself. */
const NODE_FETCH = {
  "accept-language": "*",
  "sec-fetch-mode": "cors",
  "user-agent": "node",
  "accept-encoding": "gzip, deflate",
};

/** A program that fetches pages for a model. */
export const AGENT = { ...NODE_FETCH, accept: "text/markdown, text/html;q=0.9, */*;q=0.8" };

const MCP = {
  ...NODE_FETCH,
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
};

export const CLAUDE_CODE = {
  ...MCP,
  "user-agent": "claude-code/2.1.204 (cli)",
  "mcp-protocol-version": "2025-11-25",
};

/** The official SDK. */
export const SDK = { ...MCP, "mcp-protocol-version": "2026-07-28" };

/** A script that edits content. */
export const API_SCRIPT = { ...NODE_FETCH, accept: "*/*" };
