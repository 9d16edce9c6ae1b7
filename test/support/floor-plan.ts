/** What a room of `src/` may import. A room is a folder there, or one file. */
interface Room {
  /** Other rooms, besides those in `EVERYWHERE`. */
  rooms: readonly string[];
  /** Allowed npm packages. */
  packages: readonly string[];
  /** Allowed built-in modules, without `node:`; absent: any. Pure rooms use no clock, disk or network. */
  builtIns?: readonly string[];
}

const EVERYWHERE = [
  "caching",
  "errors.ts",
  "log.ts",
  "new-id.ts",
  "repeated-error-logger.ts",
  "tracing.ts",
  "work",
];
const PURE = ["buffer", "crypto", "url", "util"];
const SEARCH = ["search", "search/language", "search/meaning"];
const FILES = ["files/durable-files.ts", "files/file-facts.ts", "files/path-below.ts"];

/** Rooms that only the wiring imports together. */
const WIRED = [
  ...SEARCH,
  ...FILES,
  "files/staging.ts",
  "config",
  "config.ts",
  "uncaught-exceptions.ts",
  "version.ts",
  "content",
  "access",
  "health",
  "links",
  "links/checking",
  "render",
  "discovery",
  "metrics",
  "openid",
  "passkeys",
  "static",
  "storage",
  "storage/backup",
  "storage/sqlite",
  "storage/record",
  "storage/reading",
  "storage/media",
  "storage/desk",
  "storage/integrity",
  "storage/replica",
  "storage/jobs",
  "storage/moving",
  "mcp",
  "http",
  "importing",
  "transfer",
  "webhooks",
  "webhooks/sending",
  "mail",
  "mail/sending",
];

/** The rule on rooms from ARCHITECTURE.md, as the tidy test enforces it. */
export const FLOOR_PLAN: Readonly<Record<string, Room>> = {
  texts: { rooms: [], packages: [], builtIns: [] },
  content: {
    rooms: ["access", "content/citations", "texts", ...SEARCH],
    packages: ["zod", "yaml", "node-diff3", "css-tree", "temporal-polyfill"],
    builtIns: PURE,
  },
  "content/citations": { rooms: ["content"], packages: [], builtIns: PURE },
  "content/import": {
    rooms: [
      ...["content", "content/citations", "content/pasting", "access", "search/language", "texts"],
      ...FILES,
    ],
    packages: [
      ...["zod", "yaml", "unist", "mdast", "mdast-util-from-markdown", "mdast-util-to-markdown"],
      ...["mdast-util-gfm", "hast", "hast-util-to-mdast", "htmlparser2"],
      "papaparse",
      "smol-toml",
      "yauzl",
    ],
    builtIns: PURE,
  },
  "content/pasting": {
    rooms: ["access"],
    packages: [
      "hast",
      "hast-util-from-parse5",
      "hast-util-to-mdast",
      "mdast",
      "mdast-util-gfm",
      "mdast-util-to-markdown",
      "parse5",
      "sanitize-html",
    ],
    builtIns: [...PURE, "events", "worker_threads"],
  },
  access: {
    rooms: ["content", "mail", "search", "search/language", "texts"],
    packages: ["zod", "@zxcvbn-ts/language-common"],
    builtIns: [...PURE, "net", "zlib"],
  },
  search: {
    rooms: [
      "content",
      "access",
      "search/language",
      "search/meaning",
      "storage/sqlite",
      "storage/reading",
    ],
    packages: [],
  },
  "search/language": {
    rooms: [],
    packages: ["stemmer", "@orama/stemmers"],
    builtIns: [...PURE, "module"],
  },
  "search/meaning": {
    rooms: ["content", "access", "search", "storage/sqlite"],
    packages: ["zod"],
    builtIns: [...PURE, "sqlite", "timers/promises", "worker_threads"],
  },
  passkeys: { rooms: ["access"], packages: ["@simplewebauthn/server", "zod"] },
  openid: { rooms: ["access"], packages: ["openid-client"], builtIns: [] },
  health: { rooms: ["access", "mail", "texts"], packages: [], builtIns: [] },
  links: {
    rooms: ["content", "access", "webhooks"],
    packages: ["zod", "htmlparser2"],
    builtIns: PURE,
  },
  "links/checking": {
    rooms: ["content", "links", "webhooks", "webhooks/sending"],
    packages: [],
    builtIns: ["dns", "http", "https", "net", "timers/promises"],
  },
  mail: { rooms: [], packages: [], builtIns: PURE },
  "mail/sending": { rooms: ["mail"], packages: ["nodemailer"] },
  fonts: { rooms: [], packages: [], builtIns: ["crypto", "fs", "module"] },
  render: {
    rooms: ["content", "content/citations", "fonts", "search", "search/language", "texts"],
    packages: [
      "htmlparser2",
      "markdown-it",
      "markdown-it-deflist",
      "markdown-it-footnote",
      "sanitize-html",
    ],
    builtIns: [...PURE, "module"],
  },
  "discovery/xml.ts": { rooms: [], packages: [], builtIns: [] },
  discovery: {
    rooms: ["discovery/xml.ts", "content", ...SEARCH],
    packages: ["yaml", "temporal-polyfill"],
    builtIns: PURE,
  },
  workers: { rooms: ["access", "metrics"], packages: [], builtIns: ["cluster"] },
  work: {
    rooms: [],
    packages: [],
    builtIns: ["child_process", "os", "timers/promises", "worker_threads"],
  },
  caching: { rooms: [], packages: [], builtIns: ["zlib"] },
  transfer: {
    rooms: [
      ...["content", "content/import", "access"],
      ...["files/path-below.ts", "files/disk-backed-text.ts", "files/zip-packing.ts"],
    ],
    packages: ["zod", "papaparse", "yaml"],
    builtIns: PURE,
  },
  "transfer/fetching": {
    rooms: [
      "discovery/xml.ts",
      "content/import",
      "links",
      "links/checking",
      "webhooks",
      "webhooks/sending",
    ],
    packages: ["htmlparser2", "robots-parser", "zod"],
    builtIns: ["dns", "http", "https", "stream/consumers", "timers/promises", "zlib"],
  },
  importing: {
    rooms: [
      ...FILES,
      "files/file-bytes.ts",
      "files/temporary-folder.ts",
      "files/zip-packing.ts",
      "files/zip-unpacking.ts",
      "content",
      "content/import",
      "access",
      "transfer",
      "transfer/fetching",
    ],
    packages: ["mammoth", "yaml"],
  },
  syncing: {
    rooms: [
      ...FILES,
      "files/database-file.ts",
      "files/zip-packing.ts",
      ...["content", "content/import", "access", "importing", "storage/sqlite", "transfer"],
    ],
    packages: ["yaml", "zod"],
  },
  static: {
    rooms: [
      ...FILES,
      "files/browser-script.ts",
      "files/updated-folder.ts",
      ...["content", "discovery", "render", "search", "search/language"],
    ],
    packages: [],
  },
  webhooks: {
    rooms: ["content", "access"],
    packages: ["zod"],
    builtIns: [...PURE, "net"],
  },
  "webhooks/sending": {
    rooms: ["webhooks"],
    packages: ["standardwebhooks"],
    builtIns: ["dns", "http", "https", "net"],
  },
  storage: {
    rooms: [
      ...FILES,
      "files/staging.ts",
      "files/temporary-folder.ts",
      "storage/backup",
      "content",
      "access",
      "search",
      "storage/sqlite",
      "storage/record",
      "storage/reading",
    ],
    packages: ["kysely", "zod"],
  },
  "storage/sqlite": { rooms: [], packages: [] },
  "storage/backup": {
    rooms: [
      ...FILES,
      "files/staging.ts",
      "config",
      "content",
      "storage",
      "storage/sqlite",
      "storage/record",
    ],
    packages: ["age-encryption", "aws4fetch", "htmlparser2", "zod"],
  },
  "storage/record": {
    rooms: [
      ...FILES,
      "files/database-file.ts",
      "files/temporary-folder.ts",
      ...SEARCH,
      "content",
      "access",
      "health",
      "links",
      "mail",
      "transfer",
      "webhooks",
      "storage",
      "storage/sqlite",
      "storage/replica",
      "storage/integrity",
      "storage/reading",
    ],
    packages: ["kysely", "pg", "zod"],
  },
  "storage/replica": {
    rooms: [
      ...FILES,
      "files/database-file.ts",
      ...SEARCH,
      "content",
      "storage",
      "storage/sqlite",
      "storage/reading",
      "storage/record",
    ],
    packages: [],
  },
  "storage/desk": {
    rooms: [
      ...SEARCH,
      "content",
      "storage",
      "storage/sqlite",
      "storage/reading",
      "storage/record",
      "storage/replica",
    ],
    packages: ["kysely", "zod"],
  },
  "storage/reading": {
    rooms: [...SEARCH, "content", "render", "storage", "storage/sqlite"],
    packages: ["zod"],
  },
  "storage/integrity": {
    rooms: ["search", "storage", "storage/sqlite", "storage/reading", "storage/record"],
    packages: [],
  },
  "storage/jobs": {
    rooms: [...FILES, "files/staging.ts", "files/temporary-folder.ts", "transfer", "storage"],
    packages: [],
  },
  "storage/media": {
    rooms: [...FILES, "files/temporary-folder.ts", "content", "storage"],
    packages: ["file-type", "image-size", "htmlparser2", "sharp", "wawoff2", "zod"],
  },
  "storage/moving": {
    rooms: [...FILES, "content", "storage", "storage/sqlite", "storage/record", "storage/reading"],
    packages: ["kysely", "pg", "zod"],
  },
  metrics: { rooms: [], packages: [], builtIns: [] },
  tracing: {
    rooms: ["config.ts", "version.ts"],
    packages: [
      "@opentelemetry/api",
      "@opentelemetry/exporter-trace-otlp-http",
      "@opentelemetry/resources",
      "@opentelemetry/sdk-trace",
    ],
    builtIns: ["async_hooks", "http", "https"],
  },
  mcp: {
    rooms: ["content", "content/citations", "access", "render", ...SEARCH],
    packages: ["zod"],
  },
  http: {
    rooms: [
      ...SEARCH,
      "files/browser-script.ts",
      "content",
      "content/import",
      "content/pasting",
      "access",
      "health",
      "links",
      "transfer",
      "webhooks",
      "fonts",
      "render",
      "discovery",
      "texts",
    ],
    packages: ["qr", "zod"],
  },
  cli: {
    rooms: [
      ...FILES,
      "files/file-bytes.ts",
      "files/staging.ts",
      "files/temporary-folder.ts",
      "files/updated-folder.ts",
      "files/zip-packing.ts",
      "app.ts",
      "app",
      "config.ts",
      "uncaught-exceptions.ts",
      "version.ts",
      "workers",
      "tracing",
      "content",
      "content/import",
      "access",
      "health",
      "importing",
      "mail",
      "static",
      "syncing",
      "transfer",
      "transfer/fetching",
      "texts",
    ],
    packages: ["commander", "@clack/prompts", "yaml"],
  },
  "errors.ts": { rooms: [], packages: [], builtIns: [] },
  "log.ts": { rooms: ["access", "config.ts"], packages: ["pino"] },
  "uncaught-exceptions.ts": { rooms: [], packages: [], builtIns: [] },
  "version.ts": { rooms: [], packages: [] },
  "new-id.ts": { rooms: [], packages: [], builtIns: ["crypto"] },
  "repeated-error-logger.ts": { rooms: [], packages: [], builtIns: [] },
  "tracing.ts": { rooms: [], packages: [], builtIns: ["http"] },
  "config.ts": { rooms: ["config"], packages: ["zod"], builtIns: [] },
  config: { rooms: ["search/language"], packages: ["zod"], builtIns: [] },
  "files/browser-script.ts": {
    rooms: [],
    packages: [],
    builtIns: ["crypto", "fs", "module", "path"],
  },
  "files/database-file.ts": { rooms: ["files/durable-files.ts"], packages: [] },
  "files/durable-files.ts": { rooms: ["files/file-facts.ts"], packages: [] },
  "files/file-bytes.ts": { rooms: [], packages: [], builtIns: ["fs"] },
  "files/file-facts.ts": { rooms: [], packages: [], builtIns: ["crypto", "fs"] },
  "files/path-below.ts": { rooms: [], packages: [], builtIns: ["path"] },
  "files/updated-folder.ts": { rooms: [...FILES], packages: [] },
  "files/staging.ts": { rooms: [...FILES, "storage", "storage/sqlite"], packages: [] },
  "files/zip-packing.ts": {
    rooms: [],
    packages: ["yazl"],
    builtIns: ["stream", "stream/promises"],
  },
  "files/zip-unpacking.ts": { rooms: [...FILES], packages: ["yauzl"] },
  "files/temporary-folder.ts": { rooms: ["files/staging.ts"], packages: [] },
  "files/disk-backed-text.ts": { rooms: ["files/temporary-folder.ts"], packages: [] },
  "app.ts": { rooms: ["app", ...WIRED], packages: [] },
  app: { rooms: WIRED, packages: [] },
  "main.ts": { rooms: ["cli", "config", "config.ts", "app.ts"], packages: [] },
};

/** @throws when the plan does not know the room of the importing file. */
export function isAllowed(file: string, target: string): boolean {
  const from = roomOf(file);
  const room = FLOOR_PLAN[from];
  if (room === undefined) throw new Error(`${file}: room "${from}" is not in the floor plan`);
  if (target.startsWith("node:")) {
    return room.builtIns?.includes(target.slice("node:".length)) ?? true;
  }
  if (!target.startsWith(".")) {
    return room.packages.some((name) => target === name || target.startsWith(`${name}/`));
  }
  const to = roomOf(new URL(target, `file:///${file}`).pathname.slice(1));
  return to === from || room.rooms.includes(to) || EVERYWHERE.includes(to);
}

/** The most specific room that contains a path. */
function roomOf(file: string): string {
  const place = file.slice("src/".length);
  const rooms = Object.keys(FLOOR_PLAN).filter(
    (room) => place === room || place.startsWith(`${room}/`),
  );
  return rooms.sort((a, b) => b.length - a.length)[0] ?? place;
}
