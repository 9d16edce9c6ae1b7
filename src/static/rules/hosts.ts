import { caddy } from "./caddy.ts";
import { cloudflare } from "./cloudflare.ts";
import { githubPages } from "./github-pages.ts";
import type { ExportHostName, Host } from "./host.ts";
import { netlify } from "./netlify.ts";
import { nginx } from "./nginx.ts";

export const HOSTS: Readonly<Record<ExportHostName, Host>> = {
  nginx,
  caddy,
  netlify,
  cloudflare,
  "github-pages": githubPages,
};
