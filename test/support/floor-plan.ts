/** What a room of `src/` may import. A room is a folder there, or one file. */
interface Room {
  /** Other rooms; `errors.ts` and `log.ts` are open to all. */
  rooms: readonly string[];
  /** npm packages. */
  packages: readonly string[];
  /** Built-in modules without the `node:`; absent: any. Pure rooms see no clock, disk or network. */
  builtIns?: readonly string[];
}

const EVERYWHERE = [
  "asked-before.ts",
  "errors.ts",
  "in-time.ts",
  "kept.ts",
  "log.ts",
  "path-below.ts",
  "repeated-faults.ts",
];
const PURE = ["buffer", "crypto", "url", "util"];

/** What only the wiring brings together. */
const WIRED = [
  "clock.ts",
  "config.ts",
  "process-faults.ts",
  "trusted-time.ts",
  "version.ts",
  "content",
  "access",
  "render",
  "discovery",
  "data-folder.ts",
  "metrics",
  "storage",
  "storage/record",
  "storage/reading",
  "storage/media",
  "storage/integrity",
  "storage/jobs",
  "mcp",
  "http",
  "transfer",
  "webhooks",
  "webhooks/sending",
  "embedding",
  "mail",
  "mail/sending",
  "work",
];

/** The house rule of ARCHITECTURE.md, as the tidy test enforces it. */
export const FLOOR_PLAN: Readonly<Record<string, Room>> = {
  content: { rooms: ["access"], packages: ["zod", "yaml"], builtIns: PURE },
  "content/import": {
    rooms: ["content", "access"],
    packages: ["zod", "yaml", "mdast", "mdast-util-from-markdown", "unist"],
    builtIns: PURE,
  },
  access: { rooms: ["content", "mail"], packages: ["zod"], builtIns: [...PURE, "net", "zlib"] },
  mail: { rooms: [], packages: [], builtIns: PURE },
  "mail/sending": { rooms: ["mail", "work"], packages: ["nodemailer"] },
  render: {
    rooms: ["content"],
    packages: ["htmlparser2", "markdown-it", "sanitize-html"],
    builtIns: [...PURE, "module"],
  },
  discovery: { rooms: ["content"], packages: ["yaml"], builtIns: PURE },
  workers: { rooms: ["access", "metrics"], packages: [], builtIns: ["cluster"] },
  work: { rooms: [], packages: [], builtIns: [] },
  transfer: {
    rooms: ["content", "content/import", "access", "work"],
    packages: ["zod"],
    builtIns: PURE,
  },
  webhooks: {
    rooms: ["content", "access", "work"],
    packages: ["zod"],
    builtIns: [...PURE, "net"],
  },
  "webhooks/sending": {
    rooms: ["webhooks", "work"],
    packages: ["standardwebhooks"],
    builtIns: ["dns", "http", "https", "net"],
  },
  embedding: {
    rooms: ["clock.ts", "content", "storage/reading", "work"],
    packages: ["zod"],
    builtIns: [...PURE, "timers/promises", "worker_threads"],
  },
  storage: {
    rooms: ["durable-files.ts", "content", "access", "storage/record", "storage/reading"],
    packages: ["kysely", "zod"],
  },
  "storage/backup": {
    rooms: ["content", "storage", "storage/record", "durable-files.ts", "work-place.ts"],
    packages: ["zod"],
  },
  "storage/record": {
    rooms: [
      "durable-files.ts",
      "content",
      "access",
      "mail",
      "transfer",
      "trusted-time.ts",
      "webhooks",
      "storage",
      "storage/following",
      "storage/integrity",
      "storage/reading",
    ],
    packages: ["kysely", "pg", "zod"],
  },
  "storage/following": {
    rooms: ["durable-files.ts", "content", "storage", "storage/reading", "storage/record"],
    packages: [],
  },
  "storage/reading": {
    rooms: ["content", "render", "storage"],
    packages: ["zod", "stemmer", "@orama/stemmers"],
  },
  "storage/integrity": {
    rooms: ["storage", "storage/reading", "storage/record", "work"],
    packages: [],
  },
  "storage/jobs": { rooms: ["durable-files.ts", "transfer", "storage"], packages: [] },
  "storage/media": {
    rooms: ["durable-files.ts", "content", "storage", "work"],
    packages: ["file-type", "image-size", "htmlparser2"],
  },
  "storage/moving": {
    rooms: ["durable-files.ts", "content", "storage", "storage/record", "storage/reading"],
    packages: ["kysely", "pg", "zod"],
  },
  metrics: { rooms: [], packages: [], builtIns: [] },
  mcp: { rooms: ["content", "access", "render"], packages: ["zod"] },
  http: {
    rooms: ["content", "content/import", "access", "transfer", "webhooks", "render", "discovery"],
    packages: ["zod"],
  },
  cli: {
    rooms: [
      "durable-files.ts",
      "work-place.ts",
      "app.ts",
      "app",
      "data-folder.ts",
      "moving.ts",
      "config.ts",
      "process-faults.ts",
      "version.ts",
      "workers",
      "content",
      "content/import",
      "access",
      "mail",
      "transfer",
    ],
    packages: ["commander", "@clack/prompts", "yaml"],
  },
  "errors.ts": { rooms: [], packages: [], builtIns: [] },
  "log.ts": { rooms: ["access", "config.ts"], packages: ["pino"] },
  "process-faults.ts": { rooms: [], packages: [], builtIns: [] },
  "trusted-time.ts": { rooms: [], packages: [], builtIns: [] },
  "version.ts": { rooms: [], packages: [] },
  "in-time.ts": { rooms: [], packages: [], builtIns: [] },
  "repeated-faults.ts": { rooms: [], packages: [], builtIns: [] },
  "asked-before.ts": { rooms: [], packages: [], builtIns: ["zlib"] },
  "kept.ts": { rooms: [], packages: [], builtIns: [] },
  "path-below.ts": { rooms: [], packages: [], builtIns: ["path"] },
  "config.ts": { rooms: [], packages: ["zod"], builtIns: [] },
  "clock.ts": { rooms: [], packages: [], builtIns: [] },
  "data-folder.ts": {
    rooms: ["config.ts", "version.ts", "storage", "storage/backup"],
    packages: [],
  },
  "durable-files.ts": { rooms: [], packages: [] },
  "work-place.ts": { rooms: ["durable-files.ts", "storage"], packages: [] },
  "moving.ts": { rooms: ["config.ts", "data-folder.ts", "storage/moving"], packages: [] },
  "app.ts": { rooms: ["app", ...WIRED], packages: [] },
  app: { rooms: [...WIRED, "durable-files.ts"], packages: [] },
  "main.ts": { rooms: ["cli", "config.ts", "app.ts"], packages: [] },
};

/** @throws when the importing file stands in a room the plan does not know. */
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

/** The most particular room a path lies in. */
function roomOf(file: string): string {
  const place = file.slice("src/".length);
  const rooms = Object.keys(FLOOR_PLAN).filter(
    (room) => place === room || place.startsWith(`${room}/`),
  );
  return rooms.sort((a, b) => b.length - a.length)[0] ?? place;
}
