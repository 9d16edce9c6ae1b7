import { z } from "zod";

export interface MailServer {
  host: string;
  port: number;
  /** True: implicit TLS; false: STARTTLS. */
  isSecure: boolean;
  login: { user: string; password: string } | null;
}

/**
 * The address of the sign-in provider. Plain HTTP is allowed only on this machine, because anyone who
 * intercepted the connection could sign in as any administrator.
 */
export function parseIssuerUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  const isValid =
    url !== null &&
    isConfidential(url) &&
    url.username + url.password + url.search + url.hash === "";
  if (isValid) return text;
  context.addIssue("use the https:// address of the provider, without name, password or query");
  return z.NEVER;
}

/** All parameters allowed in the address. The driver would silently accept unknown parameters. */
const DATABASE_PARAMETERS: ReadonlySet<string> = new Set([
  ...["host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation"],
  ...["uselibpqcompat", "application_name", "fallback_application_name", "options"],
  ...["client_encoding", "statement_timeout", "lock_timeout"],
]);

/** Messages never contain the address, because it may hold a password. */
export function parseDatabaseUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  const isValid =
    url !== null &&
    /^postgres(?:ql)?:$/.test(url.protocol) &&
    loginIn(url) !== undefined &&
    /^\/[^/]+$/.test(url.pathname) &&
    (url.hostname !== "" || url.searchParams.has("host")) &&
    [...url.searchParams.keys()].every((name) => DATABASE_PARAMETERS.has(name)) &&
    url.hash === "";
  if (isValid) return text;
  context.addIssue(
    "use postgres://USER:PASSWORD@HOST:PORT/DATABASE, with parameters such as ?sslmode=verify-full; percent-encode characters of the password other than letters and digits",
  );
  return z.NEVER;
}

/** The error never contains the address, because it may hold a password. */
export function parseEmbeddingsUrl(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  const isValid =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.username + url.password + url.search + url.hash === "";
  if (isValid) return url.href.replace(/\/+$/, "").replace(/\/embeddings$/, "");
  context.addIssue(
    "use an http(s) address without name, password or query, as http://127.0.0.1:11434/v1; put the key in EMBED_KEY",
  );
  return z.NEVER;
}

/** Messages never contain the address, because it may hold a password. */
export function parseMailServerUrl(text: string, context: z.RefinementCtx): MailServer {
  const url = URL.parse(text);
  const login = url === null ? null : loginIn(url);
  const isValid =
    url !== null &&
    login !== undefined &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    /^\/?$/.test(url.pathname) &&
    url.search + url.hash === "";
  if (!isValid) {
    context.addIssue(
      "use smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start; percent-encode characters of the password other than letters and digits",
    );
    return z.NEVER;
  }
  const isSecure = url.protocol === "smtps:";
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || (isSecure ? 465 : 587),
    isSecure,
    login,
  };
}

/**
 * The origin of an S3-compatible store, without a path because BACKUP_TO names the buckets. Plain HTTP is
 * allowed only on this machine, because backups contain all data and an attacker could replace a backup.
 */
export function parseS3Endpoint(text: string, context: z.RefinementCtx): string {
  const url = URL.parse(text);
  if (url?.protocol === "http:" && !isConfidential(url)) {
    context.addIssue(
      "use https://: over http:// anyone on the way could read and replace backups. Only a store on this machine may use http://",
    );
    return z.NEVER;
  }
  const isValid =
    url !== null &&
    isConfidential(url) &&
    url.username + url.password + url.search + url.hash === "" &&
    url.pathname === "/";
  if (isValid) return url.origin;
  context.addIssue(
    "use the address of the store without bucket, name or password, as https://s3.eu-central-1.amazonaws.com",
  );
  return z.NEVER;
}

/** Whether the connection uses TLS or stays on this machine. */
function isConfidential({ protocol, hostname }: URL): boolean {
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return protocol === "https:" || (protocol === "http:" && isLocal);
}

/** Null: the address has no login; undefined: the login cannot be decoded. */
function loginIn({ username, password }: URL): MailServer["login"] | undefined {
  if (username === "" && password === "") return null;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}
