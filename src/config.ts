import { z } from "zod";
import {
  type MailServer,
  parseDatabaseUrl,
  parseEmbeddingsUrl,
  parseIssuerUrl,
  parseMailServerUrl,
} from "./config/addresses.ts";
import {
  asciiWithoutSpacesSchema,
  type BackupSettings,
  backupSettingSchemas,
  backupSettingsFromEnvironment,
  findMissingBackupSettings,
} from "./config/backup-settings.ts";
import {
  type TraceSettings,
  traceSettingSchemas,
  traceSettingsFromEnvironment,
} from "./config/trace-settings.ts";
import { AppError, englishOnlyWording } from "./errors.ts";

const flag = z
  .enum(["0", "1", "true", "false"], { error: "use 1 or 0" })
  .transform((value) => value === "1" || value === "true");
const port = z.coerce.number({ error: "use a port number" }).int().min(0).max(65535);

/** All settings, read once at start. A test compares them with `docs/operating.md`. */
const environmentSchema = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "use an absolute http(s) address, as https://example.org" })
    .transform((url) => new URL(url))
    .refine((url) => url.pathname === "/" && url.search === "" && url.hash === "", {
      error: "give the origin only, without a path or query",
    })
    .refine((url) => url.username === "" && url.password === "", {
      error: "leave out the name and password: this address is public",
    })
    .transform((url) => url.origin)
    .exactOptional(),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z.string().transform(parseDatabaseUrl).exactOptional(),
  DEMO: flag.default(true),
  TRUST_PROXY: flag.default(false),
  SMTP_URL: z.string().transform(parseMailServerUrl).exactOptional(),
  MAIL_FROM: z.email({ error: "give an e-mail address, as site@example.org" }).exactOptional(),
  WEBHOOK_PRIVATE_NETWORKS: flag.default(false),
  CHECK_LINKS: flag.default(true),
  WORKERS: z.coerce.number({ error: "use a whole number" }).int().min(1).max(64).default(1),
  EMBED_URL: z.string().transform(parseEmbeddingsUrl).exactOptional(),
  EMBED_MODEL: z.string().exactOptional(),
  EMBED_KEY: asciiWithoutSpacesSchema.exactOptional(),
  OIDC_ISSUER: z.string().transform(parseIssuerUrl).exactOptional(),
  OIDC_CLIENT_ID: z.string().exactOptional(),
  OIDC_CLIENT_SECRET: z.string().exactOptional(),
  ...backupSettingSchemas,
  METRICS_PORT: port.exactOptional(),
  ...traceSettingSchemas,
  DRAIN_SECONDS: z.coerce.number({ error: "use a number of seconds" }).min(0).max(300).default(3),
  LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
});

/** Checks settings that depend on each other. */
const settingsSchema = environmentSchema.check(({ value, issues }) => {
  const { EMBED_URL: url, EMBED_MODEL: model, EMBED_KEY: key } = value;
  const report = (name: string, message: string) =>
    issues.push({ code: "custom", input: undefined, path: [name], message });
  if (url !== undefined && model === undefined) {
    report("EMBED_MODEL", "name the model to ask for at EMBED_URL");
  }
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: client, OIDC_CLIENT_SECRET: secret } = value;
  if (issuer !== undefined && client === undefined) {
    report("OIDC_CLIENT_ID", "give the id under which OIDC_ISSUER knows this site");
  }
  if (issuer === undefined && (client ?? secret) !== undefined) {
    report("OIDC_ISSUER", "say where people sign in, as https://login.example.org");
  }
  if (url === undefined && (model ?? key) !== undefined) {
    report("EMBED_URL", "say where EMBED_MODEL is, as http://127.0.0.1:11434/v1");
  }
  for (const [name, message] of findMissingBackupSettings(value)) report(name, message);
  if (value.METRICS_PORT !== undefined && value.METRICS_PORT === value.PORT) {
    report("METRICS_PORT", "use another port than PORT, which everybody can reach");
  }
  if (value.BACKUP_AT !== undefined && value.DATABASE_URL !== undefined) {
    report(
      "BACKUP_AT",
      "leave it out: a record in PostgreSQL is backed up with PostgreSQL's tools",
    );
  }
});

export interface Config {
  port: number;
  host: string;
  /** Scheme, host and port for absolute URLs; no trailing slash. */
  origin: string;
  dataDir: string;
  /** The PostgreSQL database with the record; null: SQLite in the data folder. */
  databaseUrl: string | null;
  /** Whether to fill an empty store with the demo association at the first start. */
  demo: boolean;
  /** Whether to take the client's address from `X-Forwarded-For`. */
  trustProxy: boolean;
  /** Null: the service sends no mail. */
  mail: (MailServer & { from: string | null }) | null;
  /** Whether webhooks may use private networks and plain HTTP. */
  webhookPrivateNetworks: boolean;
  /** Whether to check the external links of content. */
  checkLinks: boolean;
  /** Embeddings service for semantic search; null: search by words only. */
  embed: { url: string; model: string; key: string | null } | null;
  /** OpenID Connect provider for administrators; null: passwords only. */
  openId: { issuer: string; clientId: string; clientSecret: string | null } | null;
  backup: BackupSettings;
  /** Number of processes that share the port. */
  workers: number;
  /** Port that serves metrics without a key; null: none. */
  metricsPort: number | null;
  /** Null: nothing is traced. */
  traces: TraceSettings | null;
  /**
   * Seconds after SIGTERM during which `/readyz` reports that the server is stopping, before the
   * port closes.
   */
  drainSeconds: number;
  logLevel: "silent" | "error" | "warn" | "info" | "debug";
}

/** The names of all settings, for the documentation test. */
export const SETTING_NAMES: readonly string[] = Object.keys(environmentSchema.shape);

/** @throws {AppError} `invalid`, naming each wrong setting and what it should be. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, environment[name]]).filter(([, value]) => value),
  );
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => ({
      where: issue.path.join("."),
      message: englishOnlyWording(issue.message),
    }));
    const lines = problems.map(({ where, message }) => `${where}: ${message.en}`);
    throw new AppError(
      "invalid",
      englishOnlyWording(`Cannot start with these settings: ${lines.join("; ")}`),
      {
        problems,
      },
    );
  }
  const settings = parsed.data;
  return {
    port: settings.PORT,
    host: settings.HOST,
    origin: settings.PUBLIC_URL ?? localOrigin({ host: settings.HOST, port: settings.PORT }),
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL ?? null,
    demo: settings.DEMO,
    trustProxy: settings.TRUST_PROXY,
    mail:
      settings.SMTP_URL === undefined
        ? null
        : { ...settings.SMTP_URL, from: settings.MAIL_FROM ?? null },
    webhookPrivateNetworks: settings.WEBHOOK_PRIVATE_NETWORKS,
    checkLinks: settings.CHECK_LINKS,
    embed: embedOf(settings),
    openId: openIdOf(settings),
    backup: backupSettingsFromEnvironment(settings),
    workers: settings.WORKERS,
    metricsPort: settings.METRICS_PORT ?? null,
    traces: traceSettingsFromEnvironment(settings),
    drainSeconds: settings.DRAIN_SECONDS,
    logLevel: settings.LOG_LEVEL,
  };
}

function embedOf(settings: z.infer<typeof settingsSchema>): Config["embed"] {
  const { EMBED_URL: url, EMBED_MODEL: model, EMBED_KEY: key } = settings;
  return url === undefined || model === undefined ? null : { url, model, key: key ?? null };
}

function openIdOf(settings: z.infer<typeof settingsSchema>): Config["openId"] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = settings;
  if (issuer === undefined || clientId === undefined) return null;
  return { issuer, clientId, clientSecret: settings.OIDC_CLIENT_SECRET ?? null };
}

/** The origin at which a browser on this machine reaches the server. */
export function localOrigin({ host, port }: Pick<Config, "host" | "port">): string {
  return `http://${hostInUrl(host)}:${port}`;
}

function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
